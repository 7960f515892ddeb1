import { afterEach, describe, expect, it, vi } from 'vitest';
import type { InferenceMessage, Prompt } from '../../../../src-main/mesh/inference/messages.ts';
import type { QueueOptions } from '../../../../src-main/mesh/serving/queue/queue.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { Refusals } from '../../../../src-main/mesh/transport/guards/refusals.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
import { openMeshDoor } from '../../../support/mesh-door.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';
import { until } from '../../../support/until.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

/*
 * How a worker serves those to whom it owes nothing, beside those to whom it does. The books are in memory: whose request is
 * paid for by what is what the test says.
 */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  vi.useRealTimers();
});

function open(queue: QueueOptions = {}) {
  const worker = randomIdentity();
  const backend = new ScriptedBackend({ tokens: ['x'] });
  const credits = new MemoryWorkerCredits(worker);
  const clock = { now: Date.now() };
  const terms: string[] = [];
  const { dispatcher, door, close } = openMeshDoor({
    identity: worker,
    backend,
    credits,
    queue,
    refusals: new Refusals(testLog),
    onTerms: ({ id }) => void terms.push(id),
    now: () => clock.now,
    log: testLog,
  });
  closers.push(close);

  /** A client that has asked. @param network where a newcomer comes from; without one it is owed enough */
  async function ask(network?: string, over: Partial<Prompt> = {}, prepare: (id: string) => void = () => {}) {
    const identity = randomIdentity();
    prepare(identity.id);
    const wireless = new WirelessPeer(identity.id, ['client']);
    const peer = Object.assign(wireless.peer, { host: network ?? 'owed' }) as Peer<InferenceMessage>;
    if (network) credits.newcomers.add(identity.id);
    const params = { input: { prompt: 'x' }, params: {}, maxTokens: 5, deadlineMs: 60_000 };
    const body = { type: 'prompt' as const, requestId: nextRequestId(), worker: worker.id, ...params, ...over };
    const prompt = signEvidence<Prompt>(body, identity, clock.now);
    const told = () => wireless.sent.flatMap((message) => (message.type === 'queue-status' ? [message] : []));
    const ends = () => wireless.sent.flatMap((each) => (each.type === 'inference_error' ? [each.code] : []));
    const pledge = { v: 2, type: 'pledge', requestId: body.requestId, credits: 1, sig: '0'.repeat(128) } as const;
    wireless.onSent(({ type }) => {
      if (type === 'queue-status') queueMicrotask(() => door.pledged(peer, pledge));
    });
    door.receive(peer, prompt);
    await until(() => expect(told().length + ends().length).toBeGreaterThan(0));
    return { id: identity.id, peer, prompt, told, ends, requestId: prompt.requestId };
  }
  return { dispatcher, door, backend, credits, clock, terms, ask };
}

/** A worker whose one place is taken, by somebody to whom something is owed, until it is let go. */
async function openBusy(queue?: QueueOptions) {
  const node = open(queue);
  const hold = Promise.withResolvers<void>();
  node.backend.before = () => hold.promise;
  await node.ask();
  await until(() => expect(node.backend.started).toHaveLength(1));
  return { ...node, release: () => hold.resolve() };
}

describe('newcomers', () => {
  it('are served at once when there is room, and told that it is a gift', async () => {
    const { ask, backend, dispatcher } = open();
    const client = await ask('a');
    await until(() => expect(backend.started).toHaveLength(1));
    await ask();
    await until(() => expect(backend.started).toHaveLength(2));
    expect(dispatcher.report().waits).toMatchObject([{ tier: 'newcomer', served: 2 }]);
    expect(client.told()).toMatchObject([{ position: 0, etaMs: 0, tier: 'newcomer', funds: 'gift' }]);
  });

  it('wait behind all who are owed something, and are told so', async () => {
    const { ask, release, dispatcher } = await openBusy();
    const first = await ask('a');
    const second = await ask('b');
    const owed = await ask();
    expect(first.told()).toMatchObject([{ position: 0, etaMs: 5_000 }]);
    expect(second.told()).toMatchObject([{ position: 1, etaMs: 10_000 }]);
    expect(owed.told()).toMatchObject([{ position: 0, funds: 'claim' }]);
    expect(dispatcher.report().waiting).toBe(3);
    await until(() => expect(second.told().at(-1)).toMatchObject({ position: 2, etaMs: 15_000 }));
    expect(first.told().at(-1)).toMatchObject({ position: 1 });
    release();
  });

  it('of the network that was given least go first', async () => {
    const { ask, credits } = await openBusy();
    credits.gifts.set('much', 3);
    const much = await ask('much');
    const little = await ask('little');
    expect(little.told()).toMatchObject([{ position: 0 }]);
    await until(() => expect(much.told().at(-1)).toMatchObject({ position: 1 }));
  });

  it('take nobody’s place: as many others may wait as ever', async () => {
    const { ask } = await openBusy();
    for (let index = 0; index < 32; index++) expect((await ask(`network ${index}`)).ends()).toEqual([]);
    expect((await ask('one more')).ends()).toEqual(['QUEUE_FULL']);
    for (let index = 0; index < 40; index++) expect((await ask()).ends()).toEqual([]);
  });

  it('of a network that was given little put out the last of the one that was given most, where their line is full', async () => {
    const { ask, credits, release } = await openBusy();
    credits.gifts.set('much', 3);
    const crowd = [await ask('much'), await ask('much')];
    for (let index = 0; index < 30; index++) await ask(`network ${index}`);
    expect((await ask('little')).ends()).toEqual([]);
    await until(() => expect(crowd.map((each) => each.ends())).toEqual([[], ['QUEUE_FULL']]));
    expect((await ask('least')).ends()).toEqual([]);
    await until(() => expect(crowd.map((each) => each.ends())).toEqual([['QUEUE_FULL'], ['QUEUE_FULL']]));
    expect((await ask('last')).ends()).toEqual(['QUEUE_FULL']);
    release();
  });

  it('who have had their time wait although the engine is idle, and are taken up when it comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { ask, backend, clock, dispatcher, door } = open();
    const hold = Promise.withResolvers<void>();
    backend.before = () => hold.promise;
    const long = await ask('a');
    await until(() => expect(backend.started).toHaveLength(1));
    clock.now += 70_000;
    door.cancel(long.peer, long.requestId);
    hold.resolve();
    await until(() => expect(dispatcher.report().running).toBe(0));
    const next = await ask('b');
    expect(next.told()).toMatchObject([{ position: 0, etaMs: 20_000 }]);
    expect(backend.started).toHaveLength(1);
    // Whoever is owed something has the engine meanwhile.
    await ask();
    await until(() => expect(backend.started).toHaveLength(2));
    await until(() => expect(dispatcher.report().running).toBe(0));
    clock.now += 20_000;
    await vi.advanceTimersByTimeAsync(20_000);
    await until(() => expect(backend.started).toHaveLength(3));
  });
});

it('a queue that is full makes room for who outranks one that waits in it: the last of the lowest tier', async () => {
  const { ask, credits, dispatcher, release, backend } = await openBusy({ capacity: 2 });
  const is = (points: number) => (id: string) => void credits.points.set(id, points);
  const [silver, bronze] = [await ask(undefined, {}, is(100)), await ask(undefined, {}, is(1))];
  expect((await ask(undefined, {}, is(1))).ends()).toEqual(['QUEUE_FULL']);
  expect([silver.ends(), bronze.ends(), dispatcher.report().waiting]).toEqual([[], [], 2]);
  const gold = await ask(undefined, {}, is(500));
  expect(gold.told()).toMatchObject([{ position: 0, tier: 'gold' }]);
  await until(() => expect([silver.ends(), bronze.ends()]).toEqual([[], ['QUEUE_FULL']]));
  expect(dispatcher.report().waiting).toBe(2);
  await until(() => expect(credits.released.get(bronze.requestId)).toBe('QUEUE_FULL'));
  expect(credits.streamed.has(bronze.requestId)).toBe(false);
  release();
  await until(() => expect(backend.started).toHaveLength(3));
});

it.each([
  ['a queue', undefined],
  ['the line of newcomers', 'little'],
])(
  'who puts somebody out of %s and takes its request back has used a credit; who is put out has not',
  async (_, network) => {
    const { ask, credits, door } = await openBusy({ capacity: 1 });
    const is = (points: number) => (id: string) => void credits.points.set(id, points);
    if (network) credits.gifts.set('much', 3);
    const out = await ask(network && 'much', {}, is(1));
    if (network) {
      await ask('much');
      for (let index = 0; index < 30; index++) await ask(`network ${index}`);
    }
    const client = await ask(network, {}, is(500));
    door.cancel(client.peer, client.requestId);
    await until(() => expect(credits.released.get(client.requestId)).toBe('CANCELLED'));
    expect([credits.streamed.get(client.requestId), credits.streamed.has(out.requestId)]).toEqual([0, false]);
    expect([...credits.released.values()].sort()).toEqual(['CANCELLED', 'QUEUE_FULL']);
  },
);

describe.each(['a', undefined])('a request that waits in the line of network %s', (network) => {
  it('leaves nothing behind when it is cancelled', async () => {
    const { ask, credits, dispatcher, door, release, backend } = await openBusy();
    const client = await ask(network);
    door.cancel(client.peer, client.requestId);
    await until(() => expect(credits.released.get(client.requestId)).toBe('CANCELLED'));
    expect([client.ends(), dispatcher.report().waiting]).toEqual([['CANCELLED'], 0]);
    expect(credits.streamed.has(client.requestId)).toBe(false); // the engine was not asked
    release();
    await until(() => expect(dispatcher.report().running).toBe(0));
    expect(backend.started).toHaveLength(1);
  });

  it('leaves nothing behind when its client goes', async () => {
    const { ask, credits, dispatcher, door } = await openBusy();
    const client = await ask(network);
    door.abandon(client.peer);
    await until(() => expect(credits.released.has(client.requestId)).toBe(true));
    expect(dispatcher.report().waiting).toBe(0);
  });

  it('leaves nothing behind when its time is over', async () => {
    const { ask, credits, dispatcher } = await openBusy();
    const client = await ask(network, { deadlineMs: 1 });
    await until(() => expect(credits.released.get(client.requestId)).toBe('DEADLINE'));
    expect([client.ends(), dispatcher.report().waiting]).toEqual([['DEADLINE'], 0]);
  });

  it('leaves nothing behind when the worker closes', async () => {
    const { ask, credits, dispatcher } = await openBusy();
    const client = await ask(network);
    await dispatcher.close();
    expect([client.ends(), credits.released.get(client.requestId)]).toEqual([['NOT_RUNNING'], 'NOT_RUNNING']);
    expect(credits.reserved.size).toBe(0);
  });
});

it('a client that is owed too little hears what it is owed, and then that it is refused', async () => {
  const { ask, credits, terms } = open();
  const client = await ask('a', {}, (id) => credits.broke.add(id));
  expect([client.ends(), terms]).toEqual([['NO_CREDIT'], [client.id]]);
});

it('vouchers go to the books with the request, and whoever brought them hears its terms', async () => {
  const { ask, credits, terms } = open();
  const [by, worker, client] = [randomIdentity().id, randomIdentity().id, randomIdentity().id];
  const body = { kind: 'claim' as const, by, worker, client, credits: 3, serial: 'a'.repeat(32), expires: 1 };
  const vouchers = [{ body, sig: '0'.repeat(128) }];
  const { id } = await ask(undefined, { vouchers });
  expect([credits.brought, terms]).toEqual([vouchers, [id]]);
});
