import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Prompt } from '../../../../src-main/mesh/inference/messages.ts';
import { DirectDoor, type DirectOptions } from '../../../../src-main/mesh/serving/direct-door.ts';
import type { QueueOptions } from '../../../../src-main/mesh/serving/queue/queue.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { Refusals } from '../../../../src-main/mesh/transport/guards/refusals.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
import { openMeshDoor } from '../../../support/mesh-door.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { type Script, ScriptedBackend } from '../../../support/scripted-backend.ts';
import { until } from '../../../support/until.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

/* One queue, two doors: clients of the mesh and others are served by one worker, in one order, under the same limits. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(queue: QueueOptions = {}, script: Script = { tokens: ['Hello', ' there'] }) {
  const worker = randomIdentity();
  const backend = new ScriptedBackend(script);
  const credits = new MemoryWorkerCredits(worker);
  const served = vi.fn();
  const observer = { firstToken: vi.fn(), tokens: vi.fn(), served };
  let direct: DirectDoor | undefined;
  const given = (prefix: string) => credits.given(prefix) + (direct?.given(prefix) ?? 0);
  const { dispatcher, door, close } = openMeshDoor({
    ...{ identity: worker, backend, credits, queue, observer, given },
    ...{ refusals: new Refusals(testLog), now: Date.now, log: testLog },
  });
  direct = new DirectDoor({ dispatcher, maxDeadlineMs: 60_000, now: Date.now });
  closers.push(close);

  /** Asks by the other door, in the name of a hotkey. */
  function ask(client: string, options: Partial<DirectOptions> = {}) {
    const prompt = client;
    const events = direct?.generate(
      { input: { prompt }, maxTokens: 5 },
      { client, host: '203.0.113.7', tier: 'bronze', ...options },
    );
    return Array.fromAsync(events ?? []);
  }

  /** Asks as a client of the mesh. */
  function askOnMesh(name: string, points = 0) {
    const identity = randomIdentity();
    credits.points.set(identity.id, points);
    const wireless = new WirelessPeer(identity.id, ['client']);
    const peer = Object.assign(wireless.peer, { host: 'mesh' }) as Peer<never>;
    const params = { input: { prompt: name }, params: {}, maxTokens: 5, deadlineMs: 60_000 };
    const body = { type: 'prompt' as const, requestId: nextRequestId(), worker: worker.id, ...params };
    const { requestId } = body;
    const pledge = { v: 2, type: 'pledge', requestId, credits: 1, sig: '0'.repeat(128) } as const;
    wireless.onSent(({ type }) => {
      if (type === 'queue-status') queueMicrotask(() => door.pledged(peer, pledge));
    });
    door.receive(peer, signEvidence<Prompt>(body, identity, Date.now()));
    return {
      ends: () => wireless.sent.flatMap((each) => (/_error|_result/.test(each.type) ? [each] : [])),
      told: () => wireless.sent.flatMap((each) => (each.type === 'queue-status' ? [each.position] : [])),
    };
  }

  const order = () => backend.started.map(({ input }) => ('prompt' in input ? input.prompt : ''));
  return { dispatcher, backend, credits, observer, direct, ask, askOnMesh, order };
}

/** A worker whose one place is taken by a client of the mesh, until it is let go. */
async function openBusy(queue?: QueueOptions) {
  const node = open(queue);
  const hold = Promise.withResolvers<void>();
  node.backend.before = () => hold.promise;
  node.askOnMesh('first');
  await until(() => expect(node.backend.started).toHaveLength(1));
  return { ...node, letGo: () => hold.resolve() };
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => QuarryError.from(error).code,
  );

describe('a request by the direct door', () => {
  it('is answered piece by piece, measured like any other, and on no books', async () => {
    const { ask, credits, observer, dispatcher } = open();
    const fund = vi.spyOn(credits, 'fund');
    expect(await ask('5Hot')).toMatchObject([
      { type: 'chunk', text: 'Hello', tokens: 1 },
      { type: 'chunk', text: ' there', tokens: 1 },
      { type: 'done', result: { text: 'Hello there', finish: 'stop', completionTokens: 2, promptTokens: 7 } },
    ]);
    expect(observer.tokens).toHaveBeenCalledTimes(2);
    expect(observer.served).toHaveBeenCalledTimes(1);
    await until(() => expect(dispatcher.report()).toMatchObject({ served: 1, averageMs: expect.any(Number) }));
    expect([fund.mock.calls, credits.reserved.size, credits.settled.size, credits.released.size]).toEqual([
      [],
      0,
      0,
      0,
    ]);
  });

  it('names the model that answers it, also where it was swapped while it waited or was under way', async () => {
    const { ask, backend, dispatcher, letGo } = await openBusy();
    const waiting = ask('5Waits');
    await until(() => expect(dispatcher.report().waiting).toBe(1));
    backend.model = 'second';
    backend.before = (index) => {
      if (backend.started.length > 1 && index > 0) backend.model = 'third';
    };
    letGo();
    expect((await waiting).at(-1)).toMatchObject({ type: 'done', model: 'second' });
  });

  it('ends when its caller goes: while it waits, and while it is answered', async () => {
    const { ask, backend, dispatcher, letGo } = await openBusy();
    const [waiting, running] = [new AbortController(), new AbortController()];
    const waits = codeOf(ask('5Waits', { signal: waiting.signal }));
    await until(() => expect(dispatcher.report().waiting).toBe(1));
    waiting.abort();
    expect([await waits, dispatcher.report().waiting]).toEqual(['CANCELLED', 0]);
    backend.before = (index) => (index > 0 && backend.started.length > 1 ? new Promise(() => {}) : undefined);
    letGo();
    const runs = codeOf(ask('5Runs', { signal: running.signal }));
    await until(() => expect(backend.started).toHaveLength(2));
    running.abort();
    expect(await runs).toBe('CANCELLED');
    await until(() => expect(dispatcher.report().running).toBe(0));
    expect(backend.aborted).toBe(1);
  });

  it('ends when its caller reads no further', async () => {
    const { direct, backend, dispatcher } = open();
    backend.before = (index) => (index === 0 ? undefined : new Promise(() => {}));
    const options = { client: '5Hot', host: '203.0.113.7', tier: 'bronze' } as const;
    for await (const event of direct.generate({ input: { prompt: 'x' } }, options)) {
      expect(event).toMatchObject({ text: 'Hello' });
      break;
    }
    await until(() => expect(dispatcher.report().running).toBe(0));
    expect(backend.aborted).toBe(1);
  });

  it('is not even begun for a caller that has gone already', async () => {
    const { ask, backend } = open();
    expect(await codeOf(ask('5Hot', { signal: AbortSignal.abort() }))).toBe('CANCELLED');
    expect(backend.started).toEqual([]);
  });

  it('whose engine dies in the middle says so, after what had come', async () => {
    const { direct, backend } = open();
    backend.before = (index) => {
      if (index === 1) throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'it crashed', retryable: true });
    };
    const came: unknown[] = [];
    const reading = (async () => {
      const options = { client: '5Hot', host: '203.0.113.7', tier: 'bronze' } as const;
      for await (const event of direct.generate({ input: { prompt: 'x' } }, options)) came.push(event);
    })();
    expect(await codeOf(reading)).toBe('ENGINE_CRASHED');
    expect(came).toMatchObject([{ type: 'chunk', text: 'Hello' }]);
  });

  it('has a deadline of its own', async () => {
    const { ask, letGo } = await openBusy();
    expect(await codeOf(ask('5Hot', { deadlineMs: 20 }))).toBe('DEADLINE');
    letGo();
  });

  it('ends with the worker, and none is taken after it', async () => {
    const { ask, dispatcher } = await openBusy();
    const waits = codeOf(ask('5Hot'));
    await until(() => expect(dispatcher.report().waiting).toBe(1));
    await dispatcher.close();
    expect(await waits).toBe('NOT_RUNNING');
  });

  it('asks for another model than the loaded one in vain', async () => {
    const { ask } = open();
    expect(await codeOf(ask('5Hot', { model: 'other' }))).toBe('MODEL_NOT_FOUND');
  });

  it('that nobody reads holds up nobody', async () => {
    const { direct, ask } = open();
    const options = { client: '5Slow', host: '203.0.113.7', tier: 'bronze' } as const;
    const slow = direct.generate({ input: { prompt: 'x' } }, options);
    expect(await slow.next()).toMatchObject({ value: { text: 'Hello' } });
    expect(await ask('5Quick')).toHaveLength(3);
    expect(await Array.fromAsync(slow)).toMatchObject([{ text: ' there' }, { type: 'done' }]);
  });
});

describe('one queue for both doors', () => {
  it('serves first come first, whichever door they came by, and who has the higher tier before', async () => {
    const { ask, askOnMesh, letGo, order, dispatcher } = await openBusy();
    const waiting = (count: number) => until(() => expect(dispatcher.report().waiting).toBe(count));
    const asked: Promise<unknown>[] = [ask('hotkey 1')];
    await waiting(1);
    askOnMesh('mesh 1', 1);
    await waiting(2);
    asked.push(ask('hotkey 2'));
    await waiting(3);
    asked.push(ask('validator', { tier: 'gold' }));
    await waiting(4);
    const silver = askOnMesh('mesh silver', 100);
    await waiting(5);
    letGo();
    await Promise.all(asked);
    await until(() => expect(silver.ends()).toHaveLength(1));
    expect(order()).toEqual(['first', 'validator', 'mesh silver', 'hotkey 1', 'mesh 1', 'hotkey 2']);
  });

  it('tells clients of the mesh their place behind those of the other door', async () => {
    const { ask, askOnMesh, dispatcher } = await openBusy();
    const waits = codeOf(ask('5Hot'));
    await until(() => expect(dispatcher.report().waiting).toBe(1));
    const client = askOnMesh('mesh', 1);
    await until(() => expect(client.told()).toEqual([1]));
    await dispatcher.close();
    expect(await waits).toBe('NOT_RUNNING');
  });

  it('has half of its places for one door at most, however many hotkeys it brings, and the rest for the mesh', async () => {
    const { ask, askOnMesh, dispatcher } = await openBusy({ capacity: 8 });
    const asked = Array.from({ length: 12 }, (_, index) => codeOf(ask(`5Hot${index}`)));
    await until(() => expect(dispatcher.report().waiting).toBe(4));
    const clients = Array.from({ length: 4 }, (_, index) => askOnMesh(`mesh ${index}`, 1));
    await until(() => expect(dispatcher.report().waiting).toBe(8));
    await dispatcher.close();
    const codes = await Promise.all(asked);
    expect(codes.filter((code) => code === 'QUEUE_FULL')).toHaveLength(8);
    expect(clients.flatMap(({ ends }) => ends())).toMatchObject(Array(4).fill({ code: 'NOT_RUNNING' }));
  });

  it('has three places for one hotkey, as for one client', async () => {
    const { ask, dispatcher } = await openBusy();
    const asked = Array.from({ length: 5 }, () => codeOf(ask('5Hot')));
    await until(() => expect(dispatcher.report().waiting).toBe(3));
    await dispatcher.close();
    expect((await Promise.all(asked)).sort()).toEqual([
      ...['NOT_RUNNING', 'NOT_RUNNING', 'NOT_RUNNING'],
      ...['RATE_LIMIT', 'RATE_LIMIT'],
    ]);
  });

  it('takes of one hotkey as many a minute as of a client of its tier', async () => {
    const { ask } = open();
    const codes: string[] = [];
    for (let asked = 0; asked < 11; asked++) codes.push(await codeOf(ask('5Hot')));
    expect(codes).toEqual([...Array(10).fill('answered'), 'RATE_LIMIT']);
  });

  it('counts strangers by their network: new hotkeys bring it nothing, and wait behind all who are owed something', async () => {
    const { ask, askOnMesh, letGo, order, dispatcher } = await openBusy();
    const stranger = (index: number) => codeOf(ask(`5New${index}`, { tier: 'newcomer' }));
    const asked = Array.from({ length: 7 }, (_, index) => stranger(index));
    await until(() => expect(dispatcher.report().waiting).toBe(4));
    askOnMesh('mesh', 1);
    await until(() => expect(dispatcher.report().waiting).toBe(5));
    letGo();
    const codes = await Promise.all(asked);
    expect(order().slice(0, 3)).toEqual(['first', 'mesh', '5New0']);
    expect(codes).toEqual([...Array(4).fill('answered'), ...Array(3).fill('RATE_LIMIT')]);
  });

  it('remembers what a stranger’s network has had, so that others go before it', async () => {
    const { ask, direct } = open();
    await ask('5New', { tier: 'newcomer' });
    expect(direct.given('203.0.113.0/24')).toBeCloseTo(2, 3);
    expect(direct.given('198.51.100.0/24')).toBe(0);
    await ask('5Known', { tier: 'bronze', host: '198.51.100.1' });
    expect(direct.given('198.51.100.0/24')).toBe(0);
  });
});
