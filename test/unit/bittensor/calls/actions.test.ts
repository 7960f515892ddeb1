import { beforeAll, describe, expect, it } from 'vitest';
import { cautionOf, leftAfter, prepareCall } from '../../../../src-main/bittensor/calls/actions/actions.ts';
import { hexOf } from '../../../../src-main/bittensor/hex.ts';
import { type ChainAction, chainActionSchema } from '../../../../src-preload/contract/chain.ts';
import { RAO_PER_TAO } from '../../../../src-preload/contract/rao.ts';
import { deskKeys, deskOn381, slotOf, tellPools, tellStakes, tellSwap } from '../../../support/desk-on-381.ts';
import { encoded, RUNTIME_381 } from '../../../support/runtime-381.ts';
import { u64 } from '../../../support/scripted-chain.ts';
import type { TakingChain } from '../../../support/taking-chain.ts';

const VALIDATOR = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const PAYEE = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const TAO = String(RAO_PER_TAO);
const HALF = RAO_PER_TAO / 2n;

let keys: Awaited<ReturnType<typeof deskKeys>>;
beforeAll(async () => {
  keys = await deskKeys();
  return keys.close;
});

const setUp = (options?: { free?: bigint }) => deskOn381(keys, options);

const ofStake = { wallet: 'main', hotkey: VALIDATOR, netuid: 3 };
const stake: ChainAction = { action: 'stake', ...ofStake, amount: TAO };
const unstake: ChainAction = { action: 'unstake', ...ofStake, amount: TAO };
const move = { action: 'move', ...ofStake, amount: TAO } as const;
const keysOf = (warnings: readonly { said?: { text?: { key: string } | undefined } | undefined }[]) =>
  warnings.map(({ said }) => said?.text?.key);

/** Sends a draft of which the block tells this, and waits for what came of it. */
async function done(
  { send, node }: Awaited<ReturnType<typeof setUp>>,
  { id, typed }: { id: string; typed?: string | undefined },
  happenings: TakingChain['happenings'],
) {
  const sending = send({ id, ...(typed !== undefined && { typed }) });
  await sending.next();
  node.happenings = happenings;
  node.make(node.pool);
  return (await sending.next()).value;
}

describe.skipIf(!RUNTIME_381)('a stake', () => {
  // 1 TAO at half a TAO for an alpha would be 2 alpha.
  it.each([
    [1_970_000_000n, 150, 0, undefined],
    [1_960_000_000n, 200, 1, undefined],
    [1_900_000_000n, 500, 1, '5%'],
    [1_000_000_000n, 5_000, 1, '50%'],
  ])(
    'that brings %d of 2 alpha loses %d parts, warns %d times, and wants %s typed',
    async (alpha, lost, warned, typed) => {
      const { node, draft } = await setUp();
      tellSwap(node, { price: HALF, out: alpha });
      const drafted = await draft({ ...stake, tolerance: 100 });
      expect(drafted.call.name).toBe('addStakeLimit');
      expect(drafted).toMatchObject({ from: keys.coldkey, signedBy: 'coldkey', moves: TAO, amount: TAO });
      expect(drafted.swap).toEqual({ out: String(alpha), slippage: lost, price: '500000000', limitPrice: '505000000' });
      expect([drafted.warnings.length, drafted.typed]).toEqual([warned, typed]);
      expect(drafted.left).toBe(String(99n * RAO_PER_TAO - 500n - BigInt(drafted.fee)));
    },
  );

  // 1 TAO into a pool of 100: the price ends at 1.01² of what it was.
  it('that moves the price beyond its own limit is refused, with the tolerance that would do', async () => {
    const { node, draft } = await setUp();
    tellPools(node, { 3: { tao: 100n * RAO_PER_TAO, alpha: 200n * RAO_PER_TAO } });
    await expect(draft({ ...stake, tolerance: 190 })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', field: 'tolerance' },
      message: expect.stringMatching(/tolerance of 1.9 %/),
      hint: expect.stringMatching(/at least 2.2 %/),
    });
    expect(await draft({ ...stake, tolerance: 220 })).toMatchObject({ swap: { limitPrice: '511000000' } });
    expect(await draft({ ...stake, amount: '100000000' })).toMatchObject({ amount: '100000000' });
  });

  it('that may be on its way already says so, and wants the subnet typed, whatever its amount', async () => {
    const { node, draft, send } = await setUp();
    tellSwap(node, { price: HALF, out: 2n * RAO_PER_TAO });
    const { id } = await draft(stake);
    await send({ id }).next();
    const again = await draft({ ...stake, amount: '500000000', tolerance: 100 });
    expect([keysOf(again.warnings).at(-1), again.typed]).toEqual(['chainCalls.warning.mayComeTwice', '3']);
    const elsewhere = await draft({ ...stake, netuid: 4, tolerance: 100 });
    expect([elsewhere.warnings, elsewhere.typed]).toEqual([[], undefined]);
  });

  it('tells what went into it', async () => {
    const all = await setUp();
    tellSwap(all.node, { price: HALF, out: 2n * RAO_PER_TAO });
    const end = await done(all, await all.draft(stake), [
      [0, 'staked', keys.coldkey, VALIDATOR, 900_000_000, 1_800_000_000, 3, 450_000],
      [0, 'success'],
    ]);
    expect(end).toMatchObject({ state: 'done', moves: '900000000' });
  });
});

describe.skipIf(!RUNTIME_381)('an unstake', () => {
  it('takes out as much as is there, at no price below the limit', async () => {
    const { node, draft } = await setUp();
    tellSwap(node, { price: HALF, out: 497_500_000n });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    expect(await draft(unstake)).toMatchObject({
      ...{ moves: '0', amount: TAO, call: { name: 'removeStakeLimit' } },
      swap: { out: '497500000', slippage: 50, limitPrice: '497500000' },
    });
    await expect(draft({ ...unstake, amount: `${TAO}1` })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', field: 'amount' },
      message: expect.stringMatching(/has 1 on subnet 3/),
    });
    await expect(draft({ ...unstake, netuid: 4 })).rejects.toMatchObject({ code: 'CHAIN_REFUSED' });
  });

  it('of all names no amount to the chain, and tells what it is now', async () => {
    const { node, draft } = await setUp();
    tellSwap(node, { price: HALF, out: 497_500_000n });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO + 7n }]);
    const drafted = await draft({ ...unstake, amount: 'all' });
    expect(drafted).toMatchObject({ amount: '1000000007', call: { name: 'removeStakeFullLimit' } });
    expect(drafted.call.args.map(({ name }) => name)).toEqual(['hotkey', 'netuid', 'limitPrice']);
    await expect(draft({ ...unstake, netuid: 4, amount: 'all' })).rejects.toMatchObject({ field: 'amount' });
  });

  it('that lowers the price beyond its own limit is refused', async () => {
    const { node, draft } = await setUp();
    tellPools(node, { 3: { tao: 50n * RAO_PER_TAO, alpha: 100n * RAO_PER_TAO } });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    await expect(draft({ ...unstake, tolerance: 190 })).rejects.toMatchObject({ field: 'tolerance' });
    expect(await draft({ ...unstake, tolerance: 210 })).toMatchObject({ amount: TAO });
  });

  it('without TAO for its fee is refused where the runtime does not take that of the alpha', async () => {
    const { node, draft } = await setUp({ free: 0n });
    tellSwap(node, { price: HALF, out: 497_500_000n });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    const drafted = await draft(unstake);
    expect([drafted.left, keysOf(drafted.warnings)]).toEqual([null, ['chainCalls.warning.tooPoor']]);
  });

  it('without TAO for its fee keeps all its TAO where the runtime takes that of the alpha', async () => {
    expect(RUNTIME_381!.hasEvent('subtensorModule', 'StakeRemoved')).toBe(true);
    expect(RUNTIME_381!.hasEvent('subtensorModule', 'TransactionFeePaidWithAlpha')).toBe(false); // from 401 on
    const { node, chain, store } = await setUp({ free: 2_000n });
    tellSwap(node, { price: HALF, out: 497_500_000n });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    const wanted = chainActionSchema.parse(unstake);
    const prepared = { ...(await prepareCall({ chain, wallets: keys.wallets, store }, wanted)), feeInAlpha: true };
    const warned = async (fee: bigint) =>
      (await cautionOf({ chain, store }, wanted, prepared, { can: 1_500n, fee })).warnings.map(({ key }) => key);
    expect([leftAfter(prepared, { can: 1_500n, fee: 1_600n }), await warned(1_600n)]).toEqual([
      1_500n,
      ['chainCalls.warning.feeInAlpha'],
    ]);
    expect([leftAfter(prepared, { can: 1_500n, fee: 600n }), await warned(600n)]).toEqual([900n, []]);
  });

  it('tells what came out', async () => {
    const all = await setUp();
    tellSwap(all.node, { price: HALF, out: 497_500_000n });
    tellStakes(all.node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    const end = await done(all, await all.draft(unstake), [
      [0, 'unstaked', keys.coldkey, VALIDATOR, 497_000_000, 1_000_000_000, 3, 250_000],
      [0, 'success'],
    ]);
    expect(end).toMatchObject({ state: 'done', moves: '497000000' });
  });
});

describe.skipIf(!RUNTIME_381)('a move', () => {
  const pools = {
    3: { tao: 50n * RAO_PER_TAO, alpha: 100n * RAO_PER_TAO },
    4: { tao: 100n * RAO_PER_TAO, alpha: 400n * RAO_PER_TAO },
  };
  const setUpMove = async () => {
    const all = await setUp();
    tellPools(all.node, pools);
    tellStakes(all.node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 3, stake: RAO_PER_TAO }]);
    return all;
  };

  it('to another subnet holds to a price of its alpha in this one', async () => {
    const { draft } = await setUpMove();
    const drafted = await draft({ ...move, toNetuid: 4, tolerance: 300 });
    expect(drafted).toMatchObject({ moves: '0', amount: TAO, call: { name: 'swapStakeLimit' } });
    expect(drafted.swap).toMatchObject({ price: '2000000000', limitPrice: '1940000000' });
    expect(Number(drafted.swap?.out)).toBeCloseTo(2e9 / 1.01 / (1 + 0.495 / 100), -7);
  });

  it('that its own amount makes too dear is refused as the chain would reckon it', async () => {
    const { draft } = await setUpMove();
    // 1 − 1 / (1 + amount × (t1 + t2) / (a1 × t2)) = 1.48 %
    await expect(draft({ ...move, toNetuid: 4, tolerance: 147 })).rejects.toMatchObject({ field: 'tolerance' });
    expect((await draft({ ...move, toNetuid: 4, tolerance: 148 })).call.name).toBe('swapStakeLimit');
  });

  it('to the root ends at the price of the subnet, and from it at that of the other', async () => {
    const { node, draft } = await setUpMove();
    await expect(draft({ ...move, toNetuid: 0, tolerance: 190 })).rejects.toMatchObject({ field: 'tolerance' });
    expect(await draft({ ...move, toNetuid: 0, tolerance: 200 })).toMatchObject({ swap: { price: '500000000' } });
    tellStakes(node, keys.coldkey, [{ hotkey: VALIDATOR, netuid: 0, stake: RAO_PER_TAO }]);
    const fromRoot = { ...move, netuid: 0, toNetuid: 4, amount: 'all' } as const;
    await expect(draft({ ...fromRoot, tolerance: 190 })).rejects.toMatchObject({ field: 'tolerance' });
    expect(await draft({ ...fromRoot, tolerance: 200 })).toMatchObject({ swap: { price: '4000000000' } });
  });

  it('to another hotkey swaps nothing', async () => {
    const { draft } = await setUpMove();
    const drafted = await draft({ ...move, toHotkey: PAYEE });
    expect([drafted.call.name, drafted.swap, drafted.warnings]).toEqual(['moveStake', undefined, []]);
    expect(drafted.call.args).toContainEqual({ name: 'destinationHotkey', value: PAYEE });
  });

  it('goes somewhere, and not to both at once, because no limit would hold', async () => {
    const { draft } = await setUpMove();
    await expect(draft(move)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'toNetuid' });
    await expect(draft({ ...move, toHotkey: PAYEE, toNetuid: 4 })).rejects.toMatchObject({ field: 'toHotkey' });
    await expect(draft({ ...move, toHotkey: 'nobody' })).rejects.toMatchObject({ field: 'toHotkey' });
    await expect(draft({ ...move, netuid: 4, toNetuid: 3 })).rejects.toMatchObject({ field: 'amount' });
  });
});

describe.skipIf(!RUNTIME_381)('a transfer', () => {
  it('of all leaves what the account needs to stay, and nothing else', async () => {
    const { node, draft } = await setUp();
    const drafted = await draft({ action: 'transfer', wallet: 'main', to: PAYEE, amount: 'all' });
    const all = 100n * RAO_PER_TAO - 500n - BigInt(node.fee);
    expect(drafted).toMatchObject({ amount: String(all), moves: String(all), left: '0' });
    expect(keysOf(drafted.warnings)).not.toContain('chainCalls.warning.tooPoor');
  });

  it('of all is none where the fee is all', async () => {
    const { draft } = await setUp({ free: 1_000n });
    const all = { action: 'transfer', wallet: 'main', to: PAYEE, amount: 'all' } as const;
    await expect(draft(all)).rejects.toMatchObject({ code: 'CHAIN_REFUSED', field: 'amount' });
  });

  it('to the account that it comes from says so', async () => {
    const { draft } = await setUp();
    const warned = async (to: string) =>
      keysOf((await draft({ action: 'transfer', wallet: 'main', to, amount: TAO })).warnings);
    expect(await warned(keys.coldkey)).toContain('chainCalls.warning.sameAccount');
    expect(await warned(PAYEE)).not.toContain('chainCalls.warning.sameAccount');
  });

  it('tells what arrived', async () => {
    const all = await setUp();
    const drafted = await all.draft({ action: 'transfer', wallet: 'main', to: PAYEE, amount: TAO });
    const happenings: TakingChain['happenings'] = [
      [0, 'transfer', keys.coldkey, PAYEE, 999],
      [0, 'success'],
    ];
    expect(await done(all, drafted, happenings)).toMatchObject({ state: 'done', moves: '999' });
  });
});

describe.skipIf(!RUNTIME_381)('a registration', () => {
  it('costs a hundredth more than now at most, unless somebody says otherwise', async () => {
    const { node, draft } = await setUp();
    node.storage.set(slotOf('subtensorModule', 'networksAdded', 4), '0x01');
    node.storage.set(slotOf('subtensorModule', 'burn', 4), u64(1_000_000_001));
    const register = { action: 'register', wallet: 'main', hotkey: 'hot', netuid: 4 } as const;
    expect(await draft(register)).toMatchObject({ now: '1000000001', moves: '1010000002' });
    expect(await draft({ ...register, limitPrice: '2000000000' })).toMatchObject({ moves: '2000000000' });
  });
});

describe.skipIf(!RUNTIME_381)('a commitment', () => {
  const commitment = { action: 'commitment', wallet: 'main', hotkey: 'hot', netuid: 3, text: 'new' } as const;
  const stands = (node: TakingChain, field: Record<string, string>) => {
    const info = { deposit: 0, block: 5, info: { fields: [field] } };
    const type = 'PalletCommitmentsRegistration';
    node.storage.set(slotOf('commitments', 'commitmentOf', 3, keys.hotkey), encoded(type, info));
  };

  it('shows what stands there now', async () => {
    const { node, draft } = await setUp();
    expect((await draft(commitment)).replaces).toBeUndefined();
    stands(node, { Raw11: hexOf(Buffer.from('a\u202eb\nc\x1b[1m')) });
    expect((await draft(commitment)).replaces).toBe('ab c [1m');
    stands(node, { Raw2: '0xff00' });
    expect((await draft(commitment)).replaces).toBe('0xff00');
    stands(node, { Sha256: `0x${'11'.repeat(32)}` });
    expect((await draft(commitment)).replaces).toBe('');
  });
});

describe.skipIf(!RUNTIME_381)('weights', () => {
  const weigh = (...weights: { uid: number; weight: number }[]) =>
    ({ action: 'weights', wallet: 'main', hotkey: 'hot', netuid: 3, weights }) as ChainAction;
  const weights = weigh({ uid: 1, weight: 1 });
  const item = (name: string, ...more: unknown[]) => slotOf('subtensorModule', name, 3, ...more);

  /** A subnet of ten neurons, of whom the hotkey is a validator. */
  async function setUpWeights({ hides = false } = {}) {
    const all = await setUp();
    const { storage } = all.node;
    storage.set(item('networksAdded'), '0x01');
    storage.set(item('commitRevealWeightsEnabled'), hides ? '0x01' : '0x00');
    storage.set(slotOf('drand', 'lastStoredRound'), u64(1_000));
    storage.set(item('subnetworkN'), encoded('u16', 10));
    storage.set(item('minAllowedWeights'), encoded('u16', 1));
    storage.set(item('validatorPermit'), permits(7));
    return all;
  }
  const permits = (...uids: number[]) =>
    encoded(
      'Vec<bool>',
      Array.from({ length: 10 }, (_, uid) => uids.includes(uid)),
    );

  it('are set openly where the subnet wants them so', async () => {
    const { draft } = await setUpWeights();
    const { call, typed } = await draft(weights);
    expect([call.name, typed]).toEqual(['setMechanismWeights', undefined]);
  });

  it('are locked where it commits and reveals, each time anew', async () => {
    const { draft, send, node } = await setUpWeights({ hides: true });
    const drafted = await draft(weights);
    expect(drafted).toMatchObject({
      signedBy: 'hotkey',
      from: keys.hotkey,
      call: { name: 'commitTimelockedMechanismWeights' },
    });
    node.storage.set(
      slotOf('system', 'account', keys.hotkey),
      encoded('FrameSystemAccountInfo', { providers: 1, data: { free: RAO_PER_TAO } }),
    );
    await send({ id: drafted.id }).next();
    const commit = drafted.call.args.find(({ name }) => name === 'commit')?.value ?? '';
    expect(commit.length).toBeGreaterThan(400);
    expect(node.pool[0]).not.toContain(commit.slice(2));
  });

  it.each([
    ['of nobody', weigh(), /All of these weights are 0/],
    ['that are all 0', weigh({ uid: 1, weight: 0 }), /All of these weights are 0/],
    [
      'of a neuron that is not there',
      weigh({ uid: 1, weight: 1 }, { uid: 10, weight: 1 }),
      /no neuron 10.*last one is 9/,
    ],
    ['that name one twice', weigh({ uid: 1, weight: 1 }, { uid: 1, weight: 2 }), /name one twice/],
  ])('%s are refused, also where they would be locked', async (_, wanted, message) => {
    for (const hides of [false, true]) {
      const { draft } = await setUpWeights({ hides });
      await expect(draft(wanted)).rejects.toMatchObject({ field: 'weights', message: expect.stringMatching(message) });
    }
  });

  it('want a permit, but for those of oneself and of the owner', async () => {
    const { node, draft } = await setUpWeights({ hides: true });
    node.storage.set(item('validatorPermit'), permits(1));
    await expect(draft(weights)).rejects.toThrow(/may not validate yet/);
    expect((await draft(weigh({ uid: 7, weight: 1 }))).call.name).toMatch(/^commit/);
    node.storage.set(item('subnetOwnerHotkey'), encoded('AccountId32', keys.hotkey));
    expect((await draft(weights)).call.name).toMatch(/^commit/);
  });

  it('are for as many neurons as the subnet wants, or all that it has', async () => {
    const { node, draft } = await setUpWeights({ hides: true });
    node.storage.set(item('minAllowedWeights'), encoded('u16', 3));
    await expect(draft(weights)).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringMatching(/for 3 neurons or more; these are for 1/) },
    });
    node.storage.set(item('subnetworkN'), encoded('u16', 2));
    expect((await draft(weigh({ uid: 0, weight: 1 }, { uid: 1, weight: 1 }))).call.name).toMatch(/^commit/);
  });

  it('give nobody more than the subnet allows', async () => {
    const { node, draft } = await setUpWeights({ hides: true });
    node.storage.set(item('maxWeightsLimit'), encoded('u16', 32_768));
    await expect(draft(weigh({ uid: 0, weight: 3 }, { uid: 1, weight: 1 }))).rejects.toMatchObject({
      ...{ field: 'weights', message: expect.stringMatching(/75 % of all weight; this subnet allows 50 %/) },
    });
    expect((await draft(weigh({ uid: 0, weight: 1 }, { uid: 1, weight: 1 }))).call.name).toMatch(/^commit/);
  });
});
