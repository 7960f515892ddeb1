import { describe, expect, it } from 'vitest';
import { ChainReader } from '../../../../src-main/bittensor/chain/chain-reader.ts';
import { readAccounts } from '../../../../src-main/bittensor/views/accounts.ts';
import { PerBlock } from '../../../../src-main/bittensor/views/per-block.ts';
import { readSubnets } from '../../../../src-main/bittensor/views/subnet-list.ts';
import { type Answers, encoded, RUNTIME_381, readerOf, rpcOf, stored } from '../../../support/runtime-381.ts';
import { Refused } from '../../../support/scripted-chain.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const TAO = 1_000_000_000n;
const key = (item: string, ...args: unknown[]) => RUNTIME_381?.slot('subtensorModule', item, ...args)?.key;

/** What functions of the runtime answer, by name; a node refuses the others. */
function told(answers: Record<string, string>): Answers {
  return {
    state_call: ([name]) => {
      const answer = answers[String(name)];
      if (answer === undefined) throw new Refused(-32_000, 'Function not found');
      return answer;
    },
  };
}

/** Keys of what is stored, found by what they begin with. */
function places(keys: readonly (string | undefined)[]): Answers {
  return { state_getKeysPaged: ([begin]) => keys.filter((one) => one?.startsWith(String(begin))) };
}

const letters = (text: string) => [...Buffer.from(text)];

describe.skipIf(!RUNTIME_381)('subnets', () => {
  const dynamic = (netuid: number, name: string, identity?: string) => ({
    netuid,
    subnetName: letters(name),
    tokenSymbol: [],
    ownerHotkey: ALICE,
    ownerColdkey: ALICE,
    subnetIdentity: identity === undefined ? null : { subnetName: identity },
  });
  const prices = RUNTIME_381
    ? encoded('Vec<PalletSubtensorSwapRuntimeApiSubnetPrice>', [{ netuid: 3, price: TAO / 4n }])
    : '';
  const answers = () => {
    const all = encoded('Vec<Option<PalletSubtensorRpcInfoDynamicInfo>>', [
      dynamic(0, 'root'),
      dynamic(3, 'fallback', `My \u001b[31m\u202esub\nnet ${'x'.repeat(100)}`),
    ]);
    return {
      ...told({ SubnetInfoRuntimeApi_get_all_dynamic_info: all, SwapRuntimeApi_current_alpha_price_all: prices }),
      ...stored([
        [key('networksAdded', 0), '0x01'],
        [key('networksAdded', 3), '0x01'],
        [key('subnetworkN', 3), encoded('u16', 12)],
        [key('maxAllowedUids', 3), encoded('u16', 256)],
        [key('burn', 3), encoded('u64', TAO)],
        [key('networkRegistrationAllowed', 3), '0x01'],
      ]),
      ...places([key('isNetworkMember', BOB, 3), key('isNetworkMember', BOB, 700)]),
    };
  };

  it('are what the runtime tells, their names one short line without what steers a terminal', async () => {
    const [root, subnet, ...more] = await readSubnets(readerOf(answers()), [ALICE, BOB]);
    expect(more).toEqual([]);
    expect(root).toMatchObject({ netuid: 0, name: 'root', price: TAO, own: 0 });
    expect(subnet).toEqual({
      ...{ netuid: 3, neurons: 12, places: 256, price: TAO / 4n, registrationCost: TAO },
      ...{ registrationOpen: true, own: 1, name: `My [31msub net ${'x'.repeat(64)}`.slice(0, 64) },
    });
  });

  it('of an endpoint that tells keys of something else are not believed', async () => {
    const lying = { ...answers(), state_getKeysPaged: () => [key('isNetworkMember', ALICE, 3)] };
    await expect(readSubnets(readerOf(lying), [BOB])).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('are not all asked for by whoever looks at an account: pages do with every block', async () => {
    const stakes = [{ hotkey: BOB, coldkey: ALICE, netuid: 3, stake: TAO }];
    const reading = {
      StakeInfoRuntimeApi_get_stake_info_for_coldkey: encoded('Vec<PalletSubtensorRpcInfoStakeInfo>', stakes),
      SwapRuntimeApi_current_alpha_price_all: prices,
    };
    const asked: string[] = [];
    const { request } = rpcOf({ ...told(reading), ...stored([]) });
    const counted = {
      request: (method: string, params: readonly unknown[] = []) => {
        asked.push(method);
        return request(method, params);
      },
    };
    const reader = new ChainReader(counted, RUNTIME_381!, `0x${'cd'.repeat(32)}`);
    await readAccounts(reader, [ALICE]);
    expect(asked.sort()).toEqual(['state_call', 'state_call', 'state_queryStorageAt']);
  });

  it('are worth what their price says, and nothing where they have none', async () => {
    const stakes = [
      { hotkey: BOB, coldkey: ALICE, netuid: 3, stake: 8n * TAO },
      { hotkey: BOB, coldkey: ALICE, netuid: 0, stake: TAO },
      { hotkey: BOB, coldkey: ALICE, netuid: 9, stake: TAO },
    ];
    const account = {
      ...told({
        StakeInfoRuntimeApi_get_stake_info_for_coldkey: encoded('Vec<PalletSubtensorRpcInfoStakeInfo>', stakes),
        SwapRuntimeApi_current_alpha_price_all: prices,
        SwapRuntimeApi_current_alpha_price: encoded('u64', 0), // as the runtime says of a subnet that is gone
      }),
      ...stored([
        [
          RUNTIME_381?.slot('system', 'account', ALICE)?.key,
          encoded('FrameSystemAccountInfo', { data: { free: 5n * TAO, reserved: TAO, frozen: 2n * TAO } }),
        ],
      ]),
    };
    const [alice] = await readAccounts(readerOf(account), [ALICE]);
    expect(alice).toMatchObject({ free: 5n * TAO, spendable: 3n * TAO, staked: 3n * TAO, total: 9n * TAO });
    expect(alice?.stakes.map(({ netuid, worth }) => [netuid, worth])).toEqual([
      [3, 2n * TAO],
      [0, TAO],
      [9, undefined],
    ]);
    await expect(readAccounts(readerOf(account), [ALICE, 'nobody'])).rejects.toMatchObject({
      ...{ code: 'BAD_REQUEST', field: 'addresses' },
    });
  });
});

describe('what was read of a block', () => {
  it('is read once, by its key, until there is a newer block; what failed is read again', async () => {
    const read: string[] = [];
    let fails = true;
    const perBlock = new PerBlock(async ({ block }, what) => {
      read.push(`${block} ${what}`);
      if (fails) throw new Error('away');
      return what;
    });
    const at = (block: string) => ({ block }) as Parameters<typeof perBlock.at>[0];
    await expect(perBlock.at(at('1'), 'a')).rejects.toThrow('away');
    fails = false;
    expect(await Promise.all(['a', 'a', 'b'].map((what) => perBlock.at(at('1'), what)))).toEqual(['a', 'a', 'b']);
    expect(await perBlock.at(at('2'), 'a')).toBe('a');
    expect(read).toEqual(['1 a', '1 a', '1 b', '2 a']);
  });
});
