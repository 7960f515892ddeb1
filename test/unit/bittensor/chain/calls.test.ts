import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as calls from '../../../../src-main/bittensor/chain/calls.ts';
import { Runtime } from '../../../../src-main/bittensor/chain/runtime.ts';
import { findVector } from '../../../support/vectors.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const ALICE_HEX = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const BOB_HEX = '8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48';
const file = findVector('subtensor-381-metadata.scale');

function runtime381(): Runtime {
  const metadata = readFileSync(file ?? '').toString('hex');
  return new Runtime(`0x${metadata}`, { specVersion: 381, transactionVersion: 1 });
}

describe.skipIf(!file)('calls of runtime 381', () => {
  const runtime = file ? runtime381() : (undefined as never);
  const weights = { uids: [0, 1], values: [65_535, 1], versionKey: 0n };
  const axon = { netuid: 3, ip: '203.0.113.9', port: 8_091, version: 10_002_000 };

  // Bittensor §3.1: the sheet's vectors.
  it.each([
    ['serve', calls.serveAxon(axon), '0x07040300509e9800097100cb0000000000000000000000009b1f04040000'],
    ['weights', calls.setWeights({ netuid: 3 }, weights), '0x0777030000080000010008ffff01000000000000000000'],
    [
      'timelocked weights',
      calls.commitTimelockedWeights(
        { netuid: 3 },
        { commit: Buffer.from('deadbeef', 'hex'), round: 1_000, version: 4 },
      ),
      '0x077603000010deadbeefe8030000000000000400',
    ],
    ['a transfer', calls.transferKeepAlive({ to: BOB, amount: 1_000_000_000n }), `0x050300${BOB_HEX}02286bee`],
    ['a commitment', calls.setCommitment({ netuid: 3, data: Buffer.from('hello') }), '0x12000300040668656c6c6f'],
    ['a registration', calls.burnedRegister({ netuid: 3, hotkey: BOB }), `0x07070300${BOB_HEX}`],
    [
      'a stake',
      calls.addStakeLimit({ hotkey: BOB, netuid: 3, amount: 5n, limitPrice: 7n }),
      `0x0758${BOB_HEX}03000500000000000000070000000000000000`,
    ],
    [
      'its end',
      calls.removeStakeLimit({ hotkey: BOB, netuid: 3, amount: 5n, limitPrice: 7n }),
      `0x0759${BOB_HEX}03000500000000000000070000000000000000`,
    ],
    [
      'all of it',
      calls.removeAllStakeLimit({ hotkey: BOB, netuid: 3, amount: 5n, limitPrice: 7n }),
      `0x0767${BOB_HEX}0300010700000000000000`,
    ],
    [
      'a move to another subnet',
      calls.swapStakeLimit({ hotkey: BOB, from: 3, to: 4, amount: 5n, limitPrice: 7n }),
      `0x075a${BOB_HEX}030004000500000000000000070000000000000000`,
    ],
    [
      'a move to another hotkey',
      calls.moveStake({ from: BOB, to: ALICE, netuid: 3, amount: 5n }),
      `0x0755${BOB_HEX}${ALICE_HEX}030003000500000000000000`,
    ],
    ['a commit', calls.commitWeights({ netuid: 3 }, new Uint8Array(32)), `0x0773030000${'00'.repeat(32)}`],
    [
      'its reveal',
      calls.revealWeights({ netuid: 3 }, { ...weights, salt: [8] }),
      '0x0774030000080000010008ffff01000408000000000000000000',
    ],
  ])('are encoded as the chain wants them: %s', (_, call, expected) => {
    expect(calls.encodedCall(runtime, call)).toBe(expected);
  });

  it('have an IPv6 address as one number', () => {
    const { forms } = calls.serveAxon({ ...axon, ip: '2001:db8::1:2' });
    expect(forms[0]?.args[2]?.[1]).toBe(0x20010db8000000000000000000010002n);
    expect(calls.encodedCall(runtime, { signedBy: 'hotkey', forms })).toContain('02000100'.concat('00'.repeat(8)));
  });

  it('that it lacks are told, and not guessed', () => {
    const limited = calls.registerUpTo({ netuid: 1, hotkey: BOB, limitPrice: 1n });
    expect(() => calls.encodedCall(runtime, limited)).toThrow(
      expect.objectContaining({
        code: 'CHAIN_REFUSED',
        message: expect.stringContaining('381 has no call registerLimit'),
      }),
    );
  });

  it('with more data take the larger form, and none beyond it', () => {
    const said = calls.encodedCall(runtime, calls.setCommitment({ netuid: 3, data: Buffer.alloc(300, 7) }));
    expect(said.startsWith('0x1200030004')).toBe(true);
    expect(Buffer.from(said.slice(2), 'hex')[5]).toBe(136);
    expect(() => calls.setCommitment({ netuid: 3, data: Buffer.alloc(513) })).toThrow();
  });
});

describe('an axon’s address', () => {
  const place = { netuid: 1, ip: '203.0.113.9', port: 8_091, version: 1 };

  it.each(['127.0.0.1', '255.255.255.255', '::1', '::', 'example.org', '1.2.3', 'fe80::1%eth0', '[::2]', ''])(
    'is not %s',
    (ip) => expect(() => calls.serveAxon({ ...place, ip })).toThrow(expect.objectContaining({ field: 'ip' })),
  );

  it.each([0, -1, 65_536, 1.5, Number.NaN])('has no port %s', (port) =>
    expect(() => calls.serveAxon({ ...place, port })).toThrow(expect.objectContaining({ field: 'port' })),
  );
});

describe.skipIf(!file)('metadata that lies', () => {
  /** An endpoint's metadata in which two names are exchanged: what has the one is called by the other. */
  function withExchanged(one: string, other: string): Runtime {
    const [first, second] = [one, other].map((name) => String.fromCharCode(name.length * 4) + name);
    const metadata = readFileSync(file ?? '').toString('latin1');
    const exchanged = metadata
      .replaceAll(first!, '<exchanged>')
      .replaceAll(second!, first!)
      .replaceAll('<exchanged>', second!);
    return new Runtime(`0x${Buffer.from(exchanged, 'latin1').toString('hex')}`, {
      specVersion: 381,
      transactionVersion: 1,
    });
  }
  const stake = calls.addStakeLimit({ hotkey: BOB, netuid: 1, amount: 1n, limitPrice: 1n });

  it('has nobody sign another call than the one that was asked for', () => {
    const lying = withExchanged('burned_register', 'set_coldkey_auto_stake_hotkey');
    expect(() => calls.encodedCall(lying, calls.burnedRegister({ netuid: 3, hotkey: BOB }))).toThrow(
      expect.objectContaining({ code: 'PROTOCOL' }),
    );
    expect(calls.encodedCall(lying, stake)).toMatch(/^0x0758/);
  });

  it('and arguments in another order are another call', () =>
    expect(() => calls.encodedCall(withExchanged('amount_staked', 'limit_price'), stake)).toThrow(
      expect.objectContaining({ code: 'CHAIN_REFUSED' }),
    ));

  it.each(['0x', '0x6d657461', `0x6d6574610e${'ff'.repeat(64)}`, '0x6d65746110'] as const)(
    'or none at all is told: %s',
    (metadata) =>
      expect(() => new Runtime(metadata, { specVersion: 1, transactionVersion: 1 })).toThrow(
        expect.objectContaining({ code: 'PROTOCOL' }),
      ),
  );
});
