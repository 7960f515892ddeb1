import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnWallet } from '../../../../src-main/bittensor/weights/own-wallet.ts';
import { WeightSetter } from '../../../../src-main/bittensor/weights/weight-setter.ts';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { deskKeys, deskOn381, fund, slotOf } from '../../../support/desk-on-381.ts';
import { encoded, RUNTIME_381 } from '../../../support/runtime-381.ts';
import { BLOCK_HASH } from '../../../support/scripted-chain.ts';
import { until } from '../../../support/until.ts';

const item = (name: string, ...more: unknown[]) => slotOf('subtensorModule', name, 3, ...more);
const permits = (...uids: number[]) =>
  encoded(
    'Vec<bool>',
    Array.from({ length: 10 }, (_, uid) => uids.includes(uid)),
  );

let keys: Awaited<ReturnType<typeof deskKeys>>;
beforeAll(async () => {
  keys = await deskKeys();
});
afterAll(() => keys?.close());

/** Subnet 3 of runtime 381 with ten neurons, m0 to m9, of whom the seventh is the hotkey, which may validate. */
async function setUp() {
  const opened = await deskOn381(keys);
  const { node, desk, chain, store } = opened;
  fund(node, keys.hotkey);
  const { storage } = node;
  storage.set(item('networksAdded'), '0x01');
  storage.set(item('commitRevealWeightsEnabled'), '0x00');
  storage.set(item('subnetworkN'), encoded('u16', 10));
  storage.set(item('minAllowedWeights'), encoded('u16', 1));
  storage.set(item('tempo'), encoded('u16', 99));
  storage.set(item('weightsSetRateLimit'), encoded('u64', 100));
  storage.set(item('validatorPermit'), permits(7));
  storage.set(slotOf('system', 'number'), encoded('u32', 1_000));
  const neurons = Array.from({ length: 10 }, (_, uid) => ({ uid, hotkey: uid === 7 ? keys.hotkey : `m${uid}` }));
  const sender = new OwnWallet({
    desk: {
      draft: (wanted) => desk.draft(wanted),
      send: (input, signal) => desk.send(input, signal),
      waiting: async () =>
        (await store.open(Date.now()))
          .filter(({ state }) => state === 'waiting')
          .map(({ action, netuid, signer: from }) => ({ action, netuid, from })),
    },
    ...{ key: { wallet: 'main', hotkey: 'hot' }, address: async () => keys.hotkey, password: null },
  });
  const setter = new WeightSetter({
    chain: {
      metagraph: async () => ({ netuid: 3, block: BLOCK_HASH, from: 'runtime', tempo: 99, neurons: neurons as never }),
      hyperparameters: (netuid) => chain.hyperparameters(netuid),
      neuron: (netuid, hotkey) => chain.neuron(netuid, hotkey),
    },
    ...{ sender, netuid: 3 },
  });
  const set = (shares: Record<string, number>, wait = false, signal?: AbortSignal) =>
    setter.set({ shares: new Map(Object.entries(shares)) }, { wait, signal });
  return { ...opened, sender, setter, set };
}

describe.skipIf(!RUNTIME_381)('a validator with a wallet of its own', () => {
  it('sets weights by hotkeys, and hears of them when they are handed in', async () => {
    const { set, node, store } = await setUp();
    const sent = await set({ m1: 0.75, m2: 0.25, stranger: 1 });
    expect(sent).toMatchObject({
      ...{ pending: true, block: null, warnings: [], hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      ...{ uids: [1, 2], weights: [65_535, 21_845], leftOut: ['stranger'] },
    });
    expect(node.pool).toHaveLength(1);
    expect(await store.get(1)).toMatchObject({ action: 'weights', netuid: 3, signer: keys.hotkey });
  });

  it('waits for their block, if that is wanted', async () => {
    const { set, node } = await setUp();
    const setting = set({ m1: 1 }, true);
    await until(() => expect(node.pool).toHaveLength(1));
    node.make([...node.pool]);
    expect(await setting).toMatchObject({ pending: false, block: 6 });
  });

  it('waits no longer than it is meant to: they go their way', async () => {
    const { set, node } = await setUp();
    const patience = new AbortController();
    const setting = set({ m1: 1 }, true, patience.signal);
    await until(() => expect(node.pool).toHaveLength(1));
    patience.abort();
    expect(await setting).toMatchObject({ pending: true, block: null });
  });

  it('sets none while others of it are on their way', async () => {
    const { set, node } = await setUp();
    await set({ m1: 1 });
    await expect(set({ m2: 1 })).rejects.toMatchObject({ code: 'CHAIN_REFUSED', retryable: true });
    node.make([...node.pool]);
    await until(async () => expect(await set({ m2: 1 })).toMatchObject({ uids: [2] }));
  });

  it('is told what the chain made of them', async () => {
    const { set, node } = await setUp();
    node.happenings = [[0, 'failed', 7]];
    const failed = set({ m1: 1 }, true).catch((error: unknown) => error);
    await until(() => expect(node.pool).toHaveLength(1));
    node.make([...node.pool]);
    expect(await failed).toMatchObject({ code: 'CHAIN_REFUSED' });
  });

  it.each([
    ['fewer than the subnet wants', 'minAllowedWeights', encoded.bind(undefined, 'u16', 3), /for 3 neurons or more/],
    ['one larger than it allows', 'maxWeightsLimit', encoded.bind(undefined, 'u16', 32_768), /this subnet allows 50 %/],
    ['those of who may not validate', 'validatorPermit', () => permits(1), /may not validate yet/],
    ['those that come too soon', 'lastUpdate', () => encoded('Vec<u64>', Array(10).fill(950)), /./],
  ])('is told why the subnet does not take %s, before anything is signed', async (_, name, value, message) => {
    const { set, node } = await setUp();
    const key = name === 'lastUpdate' ? slotOf('subtensorModule', 'lastUpdate', 3) : item(name);
    node.storage.set(key, value());
    await expect(set({ m1: 0.75, m2: 0.25 })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringMatching(message) },
    });
    expect(node.tried).toEqual([]);
  });

  it('locks them where the subnet commits and reveals', async () => {
    const { set, node, store } = await setUp();
    node.storage.set(item('commitRevealWeightsEnabled'), '0x01');
    node.storage.set(slotOf('drand', 'lastStoredRound'), encoded('u64', 1_000));
    await set({ m1: 1 });
    expect(await store.get(1)).toMatchObject({ action: 'weights', netuid: 3 });
    expect(node.pool[0]!.length).toBeGreaterThan(500); // open ones would be much shorter
  });

  it('knows when the next ones are due', async () => {
    const { setter, node } = await setUp();
    const dueAt = async (lastUpdate: number) => {
      node.storage.set(slotOf('subtensorModule', 'lastUpdate', 3), encoded('Vec<u64>', Array(10).fill(lastUpdate)));
      return (await setter.due()).blocksToWait;
    };
    expect(await setter.due()).toMatchObject({
      ...{ hotkey: keys.hotkey, uid: 7, validatorPermit: true, block: 1_000, tempo: 99, rateLimit: 100 },
    });
    expect([await dueAt(0), await dueAt(899), await dueAt(900), await dueAt(1_000)]).toEqual([0, 0, 1, 101]);
    node.storage.delete(slotOf('subtensorModule', 'uids', 3, keys.hotkey));
    await expect(setter.due()).rejects.toMatchObject({ code: 'CHAIN_REFUSED' });
  });
});

describe('what came of weights', () => {
  const call = (changes: Partial<SentCall>): SentCall => ({
    ...{ id: 1, at: 1, network: 'finney', action: 'weights', from: 'v', to: 'v', netuid: 3, moves: '0', fee: '0' },
    ...{ state: 'waiting', hash: '0xab', block: null, ...changes },
  });
  const wallet = (...calls: SentCall[]) =>
    new OwnWallet({
      desk: {
        draft: async () => ({ id: 'd', warnings: [{ text: 'Reveal them.' }] }) as never,
        async *send() {
          yield* calls;
        },
        waiting: async () => [{ action: 'weights', netuid: 4, from: 'v' }],
      },
      ...{ key: { wallet: 'main', hotkey: 'hot' }, address: async () => 'v', password: null },
    });
  const send = (...calls: SentCall[]) => wallet(...calls).send({ netuid: 3, uids: [1], weights: [1] }, { wait: true });

  it('is told with what should be known of them', async () => {
    const sent = await send(call({}), call({ state: 'done', block: 7 }));
    expect(sent).toEqual({ pending: false, block: 7, hash: '0xab', warnings: ['Reveal them.'] });
    expect(await send(call({}), call({ state: 'unknown', block: 7 }))).toMatchObject({ pending: true, block: 7 });
  });

  it('is an error where an endpoint refused them, or no block took them', async () => {
    const refusal = { code: 'CHAIN_REFUSED', message: 'No.' } as const;
    await expect(send(call({ refusal }))).rejects.toMatchObject({ message: 'No.', hint: expect.any(String) });
    await expect(send(call({}), call({ state: 'expired' }))).rejects.toMatchObject({ code: 'DEADLINE' });
  });
});
