import { describe, expect, it } from 'vitest';
import { readMetagraph } from '../../../../src-main/bittensor/chain/metagraph.ts';
import { quoteSwap, readAlphaPrice, readBalance, readStakes } from '../../../../src-main/bittensor/chain/money.ts';
import { statedModel } from '../../../../src-main/bittensor/chain/stated-model.ts';
import {
  readCommitments,
  readCommitted,
  readHyperparameters,
  readOwnNeuron,
} from '../../../../src-main/bittensor/chain/subnet.ts';
import { RAO_PER_TAO } from '../../../../src-preload/contract/rao.ts';
import { type Answers, encoded, RUNTIME_381, readerOf, stored } from '../../../support/runtime-381.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const BOB = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const METAGRAPH = 'Option<PalletSubtensorRpcInfoMetagraphSelectiveMetagraph>';

/** What the runtime's functions answer, by their names. */
function told(answers: Record<string, unknown>): Answers {
  return {
    state_call: ([name]) => {
      const answer = answers[String(name)];
      return typeof answer === 'function' ? answer() : answer;
    },
  };
}

const nonsense = expect.objectContaining({ code: 'PROTOCOL' });
const key = (item: string, ...args: unknown[]) => RUNTIME_381?.slot('subtensorModule', item, ...args)?.key;

describe.skipIf(!RUNTIME_381)('a metagraph', () => {
  const place = { block: 9, version: 10_002_000, ip: 3_405_803_785, port: 8_091, ipType: 4, protocol: 4 };
  const honest = {
    netuid: 3,
    tempo: 360,
    hotkeys: [ALICE, BOB],
    coldkeys: [BOB, BOB],
    axons: [place, { ...place, ip: 0, port: 0 }],
    active: [true, false],
    validatorPermit: [true, false],
    lastUpdate: [7, 0],
    emission: [5, 2n ** 60n],
    dividends: [65_535, 0],
    incentives: [0, 65_535],
    consensus: [0, 32_768],
    blockAtRegistration: [1, 2],
    alphaStake: [2n ** 62n, 0],
    taoStake: [1, 0],
    totalStake: [2n ** 62n + 1n, 0],
  };
  const read = (metagraph: unknown, netuid = 3) =>
    readMetagraph(
      readerOf(told({ SubnetInfoRuntimeApi_get_selective_metagraph: encoded(METAGRAPH, metagraph) })),
      netuid,
    );

  it('is what the runtime tells', async () => {
    const metagraph = await read(honest);
    expect(metagraph).toMatchObject({ from: 'runtime', tempo: 360, netuid: 3 });
    const axon = { ip: '203.0.113.9', port: 8_091, version: 10_002_000, block: 9 };
    expect(metagraph?.neurons).toMatchObject([
      { uid: 0, hotkey: ALICE, coldkey: BOB, axon, validatorPermit: true, alphaStake: 2n ** 62n, dividends: 1 },
      { uid: 1, hotkey: BOB, axon: undefined, active: false, incentive: 1, emission: 2n ** 60n, taoStake: 0n },
    ]);
    expect(metagraph?.neurons[1]?.consensus).toBeCloseTo(0.5, 4);
  });

  it('has addresses of IPv6 as people write them', async () => {
    const v6 = { ...place, ip: 0x20010db8000000000000000000000001n, ipType: 6 };
    expect((await read({ ...honest, axons: [v6, v6] }))?.neurons[0]?.axon?.ip).toBe('2001:db8::1');
  });

  it.each([
    ['lists of unlike lengths', { ...honest, coldkeys: [BOB] }],
    ['a list that is not there', { ...honest, emission: undefined }],
    ['more neurons than any subnet', { ...honest, hotkeys: Array(5_000).fill(ALICE) }],
  ])('is not believed with %s', (_, lie) => expect(read(lie)).rejects.toEqual(nonsense));

  it.each(['0x', '0x01', `0x01${'ff'.repeat(80)}`, 'Alice', 7, null, { result: '0x00' }])(
    'is not believed as %j',
    (answer) => {
      const answers = told({ SubnetInfoRuntimeApi_get_selective_metagraph: () => answer });
      return expect(readMetagraph(readerOf(answers), 3)).rejects.toEqual(nonsense);
    },
  );

  it('is read from storage where the runtime tells nothing', async () => {
    const nothing = told({ SubnetInfoRuntimeApi_get_selective_metagraph: '0x00' });
    const answers = stored([
      [key('networksAdded', 3), '0x01'],
      [key('subnetworkN', 3), encoded('u16', 1)],
      [key('tempo', 3), encoded('u16', 99)],
      [key('keys', 3, 0), encoded('AccountId32', ALICE)],
      [key('owner', ALICE), encoded('AccountId32', BOB)],
      [key('incentive', 3), encoded('Vec<u16>', [65_535])],
      [key('totalHotkeyAlpha', ALICE, 3), encoded('u64', 50)],
      [key('totalHotkeyAlpha', ALICE, 0), encoded('u64', 1_000)],
      [key('taoWeight'), encoded('u64', 2n ** 63n)],
    ]);
    const metagraph = await readMetagraph(readerOf({ ...nothing, ...answers }), 3);
    expect(metagraph).toMatchObject({ from: 'storage', tempo: 99 });
    expect(metagraph?.neurons).toMatchObject([
      { uid: 0, hotkey: ALICE, coldkey: BOB, incentive: 1, alphaStake: 50n, taoStake: 500n, totalStake: 550n },
    ]);
    expect(await readMetagraph(readerOf({ ...nothing, ...stored([]) }), 3)).toBeUndefined();
    const huge = stored([
      [key('networksAdded', 3), '0x01'],
      [key('subnetworkN', 3), encoded('u16', 60_000)],
    ]);
    await expect(readMetagraph(readerOf({ ...nothing, ...huge }), 3)).rejects.toEqual(nonsense);
  });
});

describe.skipIf(!RUNTIME_381)('of a subnet', () => {
  it('rules are read that this runtime has, and the others are unknown', async () => {
    const answers = stored([
      [key('networksAdded', 3), '0x01'],
      [key('burn', 3), encoded('u64', 2n ** 40n)],
      [key('commitRevealWeightsEnabled', 3), '0x01'],
    ]);
    expect(await readHyperparameters(readerOf(answers), 3)).toMatchObject({
      registrationCost: 2n ** 40n,
      commitReveal: true,
      commitRevealVersion: 4,
      activityCutoff: 5_000,
      minAllowedWeights: 1_024,
    });
    expect(await readHyperparameters(readerOf(stored([])), 3)).toBeUndefined();
  });

  it('the own neuron tells when weights may be set again', async () => {
    const now = [RUNTIME_381?.slot('system', 'number')?.key, encoded('u32', 150)] as const;
    const own = [key('uids', 3, ALICE), encoded('u16', 1)] as const;
    const updated = (at: number) => [key('lastUpdate', 3), encoded('Vec<u64>', [0, at])] as const;
    const read = (...entries: (readonly [string | undefined, string])[]) =>
      readOwnNeuron(readerOf(stored([now, ...entries])), 3, ALICE);
    expect(await read(own, updated(100))).toMatchObject({ uid: 1, weightsIn: 50, lastUpdate: 100 });
    expect(await read(own, updated(50))).toMatchObject({ weightsIn: 0 });
    expect(await read(own)).toMatchObject({ weightsIn: 0, lastUpdate: 0, validatorPermit: false });
    expect(await read()).toBeUndefined();
  });

  it('what was said in public is read as bytes, and the rest of it is left out', async () => {
    const fields = [{ Raw5: '0x68656c6c6f' }, 'None', { Sha256: `0x${'11'.repeat(32)}` }, { BigRaw: '0x0102' }];
    const said = encoded('PalletCommitmentsRegistration', { deposit: 0, block: 12, info: { fields } });
    const slot = RUNTIME_381?.slot('commitments', 'commitmentOf', 3, ALICE)?.key;
    const commitments = await readCommitments(readerOf(stored([[slot, said]])), 3, [ALICE, BOB]);
    expect([...commitments]).toEqual([[ALICE, { block: 12, data: [Buffer.from('hello'), Buffer.of(1, 2)] }]]);
  });
});

describe.skipIf(!RUNTIME_381)('what neurons have committed to', () => {
  const registration = (fields: unknown[], block = 12) =>
    encoded('PalletCommitmentsRegistration', { deposit: 2n ** 60n, block, info: { fields } });
  const slot = (hotkey: string) => RUNTIME_381?.slot('commitments', 'commitmentOf', 3, hotkey)?.key;
  const nothing = told({ SubnetInfoRuntimeApi_get_selective_metagraph: '0x00' });
  const subnet = (): (readonly [string | undefined, string])[] => [
    [key('networksAdded', 3), '0x01'],
    [key('subnetworkN', 3), encoded('u16', 2)],
    [key('keys', 3, 0), encoded('AccountId32', ALICE)],
    [key('keys', 3, 1), encoded('AccountId32', BOB)],
    [key('blockAtRegistration', 3, 1), encoded('u64', 5)],
  ];
  const read = (...said: (readonly [string | undefined, string])[]) =>
    readCommitted(readerOf({ ...nothing, ...stored([...subnet(), ...said]) }), 3);

  it('comes with the metagraph, for all of them at once', async () => {
    const asked: unknown[] = [];
    const answers = { ...nothing, ...stored([...subnet(), [slot(BOB), registration([{ Raw2: '0x6869' }], 40)]]) };
    const reader = readerOf({
      ...answers,
      state_queryStorageAt: (params) => {
        asked.push(params[0]);
        return answers.state_queryStorageAt?.(params);
      },
    });
    const committed = await readCommitted(reader, 3);
    expect(committed?.neurons.map(({ hotkey, registeredAt }) => [hotkey, registeredAt])).toEqual([
      [ALICE, 0],
      [BOB, 5],
    ]);
    expect([...(committed?.commitments ?? [])]).toEqual([[BOB, { block: 40, data: [Buffer.from('hi')] }]]);
    expect(asked.at(-1)).toEqual([slot(ALICE), slot(BOB)]);
    const nobody = readerOf({ ...nothing, ...stored([]) });
    expect(await readCommitted(nobody, 3)).toBeUndefined();
  });

  it.each([
    ['nothing', 'None'],
    ['a flag', 'ResetBondsFlag'],
    ['no bytes', { Raw0: '0x' }],
    ['a hash', { Keccak256: `0x${'11'.repeat(32)}` }],
    ['what is locked', { TimelockEncrypted: { encrypted: `0x${'22'.repeat(1_024)}`, revealRound: 2n ** 63n } }],
    ['the most that there can be', { BigRaw: `0x${'33'.repeat(512)}` }],
  ])('is read whatever one of them says: %s', async (_, field) => {
    const committed = await read([slot(ALICE), registration([field, field, field], 7)], [slot(BOB), registration([])]);
    const all = committed?.commitments;
    expect([all?.get(ALICE)?.block, all?.get(BOB)]).toEqual([7, { block: 12, data: [] }]);
  });

  it.each(['0x', '0x00', `0x${'ff'.repeat(40)}`, `${'0x'}${'00'.repeat(12)}fc`])('is not believed as %s', (lie) =>
    expect(read([slot(ALICE), lie])).rejects.toEqual(nonsense),
  );
});

describe('the model that a commitment names', () => {
  const of = (said: string | Uint8Array, ...more: string[]) =>
    statedModel({ data: [Buffer.from(said), ...more.map((part) => Buffer.from(part))] });
  const named = { model: 'affine-io/Affine-8b.v2', revision: 'a'.repeat(40) };

  it('is told by JSON with model and revision, in however many parts, and whatever else it says', () => {
    expect(of(JSON.stringify({ ...named, chute_id: 'c-1' }))).toEqual(named);
    expect(of('{"model":"m","revi', 'sion":"main"}')).toEqual({ model: 'm', revision: 'main' });
  });

  it.each([
    ['other words', 'https://example.org/about-me'],
    ['no revision', JSON.stringify({ model: 'm' })],
    ['an empty model', JSON.stringify({ model: '', revision: 'main' })],
    ['what is no text', JSON.stringify({ model: { a: 1 }, revision: 'main' })],
    ['a list', JSON.stringify([named])],
    ['null', 'null'],
    ['a longer name than any has', JSON.stringify({ ...named, model: 'm'.repeat(257) })],
    ['more than the chain takes', JSON.stringify({ ...named, more: ' '.repeat(2_048) })],
    ['letters that look like others', JSON.stringify({ ...named, model: 'аffine' })],
    ['a mark that turns the text around it', JSON.stringify({ ...named, model: 'm\u202e' })],
    ['lists without an end', '['.repeat(2_000)],
    ['bytes that are no text', Buffer.of(0x7b, 0xff)],
    ['nothing', ''],
  ])('is none in %s', (_, said) => expect(of(said)).toBeUndefined());
});

describe.skipIf(!RUNTIME_381)('money', () => {
  const swap = (tao: number, alpha: number) =>
    encoded('PalletSubtensorSwapRuntimeApiSimSwapResult', { taoAmount: tao, alphaAmount: alpha });

  it('is all there, however much it is', async () => {
    const account = encoded('FrameSystemAccountInfo', { data: { free: 2n ** 63n, frozen: 5 } });
    const answers = stored([[RUNTIME_381?.slot('system', 'account', ALICE)?.key, account]]);
    expect(await readBalance(readerOf(answers), ALICE)).toEqual({ free: 2n ** 63n, reserved: 0n, frozen: 5n });
    expect(await readBalance(readerOf(stored([])), ALICE)).toEqual({ free: 0n, reserved: 0n, frozen: 0n });
  });

  it('that is staked is told by the runtime, without what is nothing', async () => {
    const stakes = [7n, 0n].map((stake, netuid) => ({ hotkey: ALICE, coldkey: BOB, netuid, stake }));
    const answer = encoded('Vec<PalletSubtensorRpcInfoStakeInfo>', stakes);
    const reader = readerOf(told({ StakeInfoRuntimeApi_get_stake_info_for_coldkey: answer }));
    expect(await readStakes(reader, BOB)).toEqual([{ hotkey: ALICE, netuid: 0, amount: 7n }]);
  });

  it('costs alpha its price, and what moves by it', async () => {
    const reader = readerOf(
      told({
        SwapRuntimeApi_current_alpha_price: encoded('u64', RAO_PER_TAO / 4n),
        SwapRuntimeApi_sim_swap_tao_for_alpha: swap(100, 396),
        SwapRuntimeApi_sim_swap_alpha_for_tao: swap(95, 400),
      }),
    );
    const stake = await quoteSwap(reader, { netuid: 1, way: 'stake', amount: 100n, tolerance: 100 });
    expect(stake).toEqual({
      ...{ price: 250_000_000n, out: 396n, ideal: 400n, slippage: 100, limitPrice: 252_500_000n },
      needs: undefined,
    });
    const back = await quoteSwap(reader, { netuid: 1, way: 'unstake', amount: 400n, tolerance: 100 });
    expect(back).toMatchObject({ out: 95n, ideal: 100n, slippage: 500, limitPrice: 247_500_000n });
    expect(await quoteSwap(reader, { netuid: 0, way: 'stake', amount: 9n, tolerance: 0 })).toMatchObject({
      out: 9n,
      slippage: 0,
    });
  });

  it('has a price from the pool where the runtime tells none, and none where there is no pool', async () => {
    const none = told({ SwapRuntimeApi_current_alpha_price: '0x0000000000000000' });
    expect(await readAlphaPrice(readerOf(none), 1)).toBe(0n);
    await expect(
      quoteSwap(readerOf(none), { netuid: 1, way: 'stake', amount: 1n, tolerance: 1 }),
    ).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
    });
  });
});
