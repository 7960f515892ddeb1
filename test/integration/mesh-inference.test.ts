import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import type { AnswerEvent } from '../../src-main/inference/backend.ts';
import type { MeshClient } from '../../src-main/mesh/asking/client.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { ask, TestMesh } from '../support/test-mesh.ts';
import { until } from '../support/until.ts';

let mesh: TestMesh;

beforeAll(async () => {
  mesh = await TestMesh.open();
});
afterEach(() => mesh.clear());
afterAll(() => mesh.close());

const TEXT = Array.from({ length: 10 }, (_, index) => `word${index} `).join('');

function deep(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { a: deep(levels - 1) };
}

/** A gate that holds whoever waits for it until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

function types(events: AnswerEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** The client has heard of so many workers that they take requests. */
function ready(client: MeshClient, count: number): Promise<void> {
  return until(() => expect(client.workers().filter(({ status }) => status?.ready)).toHaveLength(count));
}

/** The first event of a type, or of the answer's end. */
async function reach(events: AsyncIterator<AnswerEvent>, type: AnswerEvent['type']): Promise<AnswerEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error(`ended without ${type}`);
    if (value.type === type) return value;
  }
}

describe('a request through the mesh', () => {
  it('is answered by a worker, and both sides sign for it', async () => {
    const worker = await mesh.worker({ tokens: ['Once ', 'upon ', 'a ', 'time'] });
    const client = await mesh.client([worker]);
    const { text, events } = await ask(client.client);
    expect(text).toBe('Once upon a time');
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { text, finish: 'stop', completionTokens: 4 } });
    const [signed] = client.credits.signed.values();
    await expect.poll(() => [...worker.credits.settled.values()]).toEqual([signed]);
    await expect.poll(() => client.credits.acknowledged.size).toBe(1);
    expect(worker.credits.reserved.size + client.credits.reserved.size).toBe(0);
  });

  it('reaches the engine as it was asked', async () => {
    const worker = await mesh.worker();
    const { client } = await mesh.client([worker]);
    const messages = [{ role: 'user' as const, content: 'Grüße, 世界 👋' }];
    const request = {
      input: { messages },
      maxTokens: 3,
      temperature: 0,
      seed: 7,
      stop: ['\n'],
      jsonSchema: { type: 'object' },
    };
    for await (const _ of client.generate(request));
    expect(worker.backend.started).toEqual([request]);
  });

  it('is served for many clients by many workers at once', async () => {
    const workers = await Promise.all(Array.from({ length: 5 }, () => mesh.worker({ parallel: 2, tokenMs: 2 })));
    const clients = await Promise.all(Array.from({ length: 4 }, () => mesh.client(workers)));
    const asked = clients.flatMap(({ client }) => Array.from({ length: 6 }, () => ask(client)));
    const answers = await Promise.all(asked);
    expect(answers.map(({ text }) => text)).toEqual(Array(24).fill(TEXT));
    await expect.poll(() => workers.reduce((sum, { credits }) => sum + credits.settled.size, 0)).toBe(24);
    expect(workers.filter(({ backend }) => backend.started.length > 0).length).toBeGreaterThan(2);
  });

  it('finds room at once when the one before it is done, whatever the last status said', async () => {
    const worker = await mesh.worker({ tokens: ['x'] }, { queue: { capacity: 1 } });
    const { client } = await mesh.client([worker], { findWorkerMs: 1 });
    for (let count = 0; count < 20; count++) expect((await ask(client)).text).toBe('x');
  });

  it('may be answered faster than the client takes frames', async () => {
    const tokens = Array.from({ length: 30_000 }, (_, index) => `${index} `);
    const worker = await mesh.worker({ tokens });
    const { client, swarm } = await mesh.client([worker]);
    let text = '';
    for await (const event of client.generate({ input: { prompt: 'x' }, maxTokens: 30_000 })) {
      if (event.type === 'chunk') text += event.text;
    }
    expect(text).toBe(tokens.join(''));
    expect(swarm.refusals.counts()).toEqual({});
  });

  it('tells its place in the queue, and moves up', async () => {
    const worker = await mesh.worker();
    const hold = gate();
    worker.backend.before = () => hold.opened;
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => mesh.client([worker])));
    const running = ask(first!.client);
    await expect.poll(() => worker.backend.active).toBe(1);
    const next = ask(second!.client);
    await expect.poll(() => worker.worker.report().waiting).toBe(1);
    const last = ask(third!.client);
    await expect.poll(() => worker.worker.report().waiting).toBe(2);
    hold.open();
    await Promise.all([running, next]);
    const places = (await last).events.flatMap((event) => (event.type === 'queued' ? [event.position] : []));
    expect(places[0]).toBe(1);
  });

  it('goes first when its client stands higher', async () => {
    const worker = await mesh.worker();
    const hold = gate();
    worker.backend.before = () => hold.opened;
    const clients = await Promise.all(['busy', 'newcomer', 'gold'].map(() => mesh.client([worker])));
    worker.credits.points.set(clients[2]!.id, 600);
    const asked: Promise<unknown>[] = [];
    for (const [index, name] of ['busy', 'newcomer', 'gold'].entries()) {
      asked.push(ask(clients[index]!.client, name));
      await expect.poll(() => worker.backend.active + worker.worker.report().waiting).toBe(index + 1);
    }
    hold.open();
    await Promise.all(asked);
    const inputs = ['busy', 'gold', 'newcomer'].map((prompt) => ({ prompt }));
    expect(worker.backend.started.map(({ input }) => input)).toEqual(inputs); // two connections bring the ends in any order
  });

  it('goes to a worker that has the model', async () => {
    const workers = [await mesh.worker({ model: 'small' }), await mesh.worker({ model: 'large', tokens: ['big'] })];
    const { client } = await mesh.client(workers, { findWorkerMs: 100 });
    expect((await ask(client, 'hi', { model: 'large' })).text).toBe('big');
    await expect(ask(client, 'hi', { model: 'huge' })).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('stops the engine when it is cancelled, and costs nothing', async () => {
    const worker = await mesh.worker({ tokens: Array(1_000).fill('x'), tokenMs: 5 });
    const { client, credits } = await mesh.client([worker]);
    const controller = new AbortController();
    const events = client.generate({ input: { prompt: 'hi' }, maxTokens: 1_000 }, { signal: controller.signal });
    await reach(events, 'chunk');
    controller.abort();
    await expect(reach(events, 'done')).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect.poll(() => worker.backend.aborted).toBe(1);
    await expect.poll(() => [...worker.credits.released.values()]).toEqual(['CANCELLED']);
    expect([...credits.released.values()]).toEqual(['CANCELLED']);
  });

  it('stops the engine when nobody reads on', async () => {
    const worker = await mesh.worker({ tokens: Array(1_000).fill('x'), tokenMs: 5 });
    const { client } = await mesh.client([worker]);
    for await (const event of client.generate({ input: { prompt: 'hi' }, maxTokens: 1_000 }))
      if (event.type === 'chunk') break;
    await expect.poll(() => worker.backend.aborted).toBe(1);
  });

  it('ends at its deadline, wherever it is', async () => {
    const worker = await mesh.worker();
    worker.backend.before = () => new Promise(() => {});
    const { client } = await mesh.client([worker]);
    await until(async () => {
      await expect(ask(client, 'hi', { deadlineMs: 200 })).rejects.toMatchObject({ code: 'DEADLINE' });
      expect(worker.backend.started.length).toBeGreaterThan(0); // a busy machine may be late before it is in the engine
    });
    await expect.poll(() => worker.backend.aborted).toBe(worker.backend.started.length);
    await expect.poll(() => worker.worker.report().running).toBe(0);
  });

  it('is stopped at the worker when its client leaves', async () => {
    const worker = await mesh.worker({ tokens: Array(1_000).fill('x'), tokenMs: 5 });
    const { client, swarm } = await mesh.client([worker]);
    const events = client.generate({ input: { prompt: 'hi' }, maxTokens: 1_000 });
    await reach(events, 'chunk');
    for (const connection of swarm.connections) connection.close('test');
    await expect.poll(() => worker.backend.aborted).toBe(1);
    await events.return();
  });

  it('asks two workers when the first one is slow and hedging is on', async () => {
    const workers = [await mesh.worker(), await mesh.worker()];
    const { client } = await mesh.client(workers, { hedgeAfterMs: 50, random: () => 0 });
    for (const { backend } of workers) {
      backend.before = () => {
        const isFirst = workers.every((other) => other.backend === backend || other.backend.started.length === 0);
        return isFirst ? new Promise(() => {}) : undefined;
      };
    }
    expect((await ask(client)).text).toBe(TEXT);
    await expect.poll(() => workers.map(({ backend }) => backend.aborted).toSorted()).toEqual([0, 1]);
  });

  it('ends with an error a person understands when nobody is there', async () => {
    const { client } = await mesh.client([], { findWorkerMs: 50 });
    await expect(ask(client)).rejects.toMatchObject({
      code: 'NO_WORKER',
      hint: expect.stringContaining('quarry doctor'),
    });
  });

  it.each<[string, Partial<GenerateRequest>, string, string]>([
    [
      'larger than a frame',
      { input: { messages: Array(2).fill({ role: 'user', content: 'x'.repeat(6e5) }) } },
      'CONTEXT_TOO_LONG',
      'input.messages',
    ],
    ['deeper than a frame', { jsonSchema: deep(40) }, 'BAD_REQUEST', 'jsonSchema'],
    ['for more tokens than a prompt may ask for', { maxTokens: 2_000_000 }, 'BAD_REQUEST', 'maxTokens'],
    ['out of an engine’s bounds', { temperature: 7 }, 'BAD_REQUEST', 'temperature'],
  ])('that is %s is refused here, before a worker takes it for an attack', async (_, change, code, field) => {
    const worker = await mesh.worker();
    const { client } = await mesh.client([worker]);
    const events = client.generate({ input: { prompt: 'x' }, ...change });
    await expect(reach(events, 'done')).rejects.toMatchObject({ code, field });
    expect(worker.swarm.refusals.counts()).toEqual({});
  });
});

describe('a worker that refuses', () => {
  it.each([
    ['is overloaded', 'OVERLOADED'],
    ['has no engine', 'ENGINE_UNAVAILABLE'],
    ['knows that the client has no credit', 'NO_CREDIT'],
  ])('because it %s leaves the request to another', async (_, code) => {
    const [refuses, serves] = [await mesh.worker(), await mesh.worker()];
    serves.health.accepting = false;
    serves.worker.changed();
    const { client, id } = await mesh.client([refuses, serves], { random: () => 0 });
    await ask(client); // the one works, so it is asked first
    serves.health.accepting = true;
    serves.worker.changed();
    await ready(client, 2);
    // What is true from here on it does not say before it is asked: no news of it is still on its way.
    const heard = () => client.workers().find((worker) => worker.id === refuses.id)?.status?.seq ?? 0;
    const before = heard();
    refuses.worker.changed();
    await until(() => expect(heard()).toBeGreaterThan(before));
    if (code === 'OVERLOADED') refuses.health.accepting = false;
    if (code === 'ENGINE_UNAVAILABLE') refuses.backend.state = 'restarting';
    if (code === 'NO_CREDIT') refuses.credits.broke.add(id);
    const { text, events } = await ask(client);
    expect(text).toBe(TEXT);
    expect(events.filter(({ type }) => type === 'worker').map((event) => 'worker' in event && event.worker)).toEqual([
      refuses.id,
      serves.id,
    ]);
    expect(refuses.swarm.refusals.counts()).toEqual({ [code]: 1 });
  });

  it('limits how often a newcomer may ask', async () => {
    const worker = await mesh.worker({}, { requestsPerMinute: { newcomer: 2 } });
    const { client } = await mesh.client([worker]);
    await ask(client);
    await ask(client);
    const refused = await ask(client).catch(QuarryError.from);
    expect(refused).toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: expect.any(Number) });
  });

  it('says so in its status before anybody asks', async () => {
    const worker = await mesh.worker();
    const { client } = await mesh.client([worker], { findWorkerMs: 100 });
    worker.health.accepting = false;
    worker.health.reason = 'The user is at the computer.';
    worker.worker.changed();
    await expect.poll(() => client.workers()[0]?.status?.reason).toBe('The user is at the computer.');
    await expect(ask(client)).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});

it('a worker whose model makes embeddings only says so, and is not asked', async () => {
  const [embeds, writes] = [await mesh.worker(), await mesh.worker()];
  embeds.backend.embedsOnly = true;
  embeds.worker.changed();
  const { client } = await mesh.client([embeds, writes], { findWorkerMs: 100 });
  const says = 'The model scripted makes embeddings only: it writes no answers.';
  const status = () => client.workers().find(({ peer }) => peer.id === embeds.id)?.status;
  await expect.poll(() => status()?.reason).toBe(says);
  expect((await ask(client)).text).toBe(TEXT);
  await writes.swarm.close();
  await expect.poll(() => client.workers().length).toBe(1);
  await expect(ask(client)).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
  expect(embeds.backend.started).toEqual([]);
});

describe('when a worker fails in the middle of an answer', () => {
  it('another one starts anew and the client is told', async () => {
    const [dying, other] = [await mesh.worker(), await mesh.worker()];
    dying.backend.before = (index) => (index === 1 ? new Promise(() => {}) : undefined);
    other.health.accepting = false; // so that it does not overtake the one that dies
    other.worker.changed();
    const { client } = await mesh.client([dying, other]);
    await ready(client, 1);
    const events = client.generate({ input: { prompt: 'hi' } });
    expect(await reach(events, 'worker')).toMatchObject({ worker: dying.id });
    await reach(events, 'chunk');
    other.health.accepting = true;
    other.worker.changed();
    await ready(client, 2);
    await dying.swarm.close();
    expect(await reach(events, 'restart')).toMatchObject({
      type: 'restart',
      worker: dying.id,
      said: { reason: { key: 'mesh.connectionEnded' } },
    });
    const done = await reach(events, 'done');
    expect(done).toMatchObject({ result: { text: TEXT } });
  });

  it('a stalling one is given up', async () => {
    const [stalling, other] = [await mesh.worker(), await mesh.worker()];
    stalling.backend.before = (index) => (index === 3 ? new Promise(() => {}) : undefined);
    other.health.accepting = false; // so that it does not overtake the one that stalls
    other.worker.changed();
    const patience: { stallMs?: number } = { stallMs: 150 };
    const { client, credits } = await mesh.client([stalling, other], { patience });
    await ready(client, 1);
    const events: AnswerEvent[] = [];
    for await (const event of client.generate({ input: { prompt: 'hello' } })) {
      events.push(event);
      if (event.type === 'restart') delete patience.stallMs; // the other would only seem to stall, on a busy machine
      if (event.type !== 'chunk' || other.health.accepting) continue;
      other.health.accepting = true;
      other.worker.changed();
      await ready(client, 2);
    }
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { text: TEXT } });
    expect(types(events).filter((type) => type === 'restart' || type === 'worker')).toEqual([
      'worker',
      'restart',
      'worker',
    ]);
    await expect.poll(() => [stalling.backend.aborted, other.backend.aborted]).toEqual([1, 0]);
    expect([...credits.released.values()]).toEqual(['WORKER_LOST']);
  });

  it('one whose engine crashed is asked again when there is no other', async () => {
    const worker = await mesh.worker();
    let crashes = 1;
    worker.backend.before = (index) => {
      if (index !== 2 || crashes-- <= 0) return;
      throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'The engine died.', retryable: true });
    };
    const { client } = await mesh.client([worker]);
    expect((await ask(client)).text).toBe(TEXT);
    expect([...worker.credits.released.values()]).toEqual(['ENGINE_CRASHED']);
  });

  it('one with a longer context is asked', async () => {
    const [short, long] = [await mesh.worker(), await mesh.worker()];
    const tooLong = new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'The prompt is too long.' });
    short.backend.before = () => Promise.reject(tooLong);
    const { client } = await mesh.client([short, long], { random: () => 0 });
    expect((await ask(client)).text).toBe(TEXT);
    long.backend.before = () => Promise.reject(tooLong);
    await expect(ask(client)).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' });
  });

  it('what only its operator should know stays with it', async () => {
    const worker = await mesh.worker();
    worker.backend.before = () => {
      throw new Error('EACCES /home/someone/secret.gguf');
    };
    const { client } = await mesh.client([worker], { attempts: 1 });
    const failure = await ask(client).catch(QuarryError.from);
    expect(failure).toMatchObject({ code: 'INTERNAL' });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('the last failure is told when all workers failed', async () => {
    const workers = await Promise.all([1, 2].map(() => mesh.worker()));
    for (const { backend } of workers) {
      backend.before = () => {
        throw new QuarryError({ code: 'OUT_OF_MEMORY', message: 'No memory.', retryable: false });
      };
    }
    const { client } = await mesh.client(workers);
    await expect(ask(client)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(workers.map(({ backend }) => backend.started.length)).toEqual([1, 1]);
  });
});

describe('receipts', () => {
  it('are sent again until the worker has them', async () => {
    const worker = await mesh.worker();
    const client = await mesh.client([worker]);
    const settle = worker.credits.settle.bind(worker.credits);
    let full = true;
    worker.credits.settle = async (receipt) => {
      if (full) throw new QuarryError({ code: 'DISK_FULL', message: 'The disk is full.' });
      return await settle(receipt);
    };
    await ask(client.client);
    expect(client.credits.acknowledged.size).toBe(0);
    full = false;
    for (const connection of client.swarm.connections) connection.close('test');
    await once(client.network, 'leave').catch(ignoring('that the connections end with an error is what is wanted'));
    client.network.joinPeer(worker.id);
    await expect.poll(() => client.credits.acknowledged.size).toBe(1);
    expect(worker.credits.settled.size).toBe(1);
  });

  it('with another answer than the one that came are not signed, and the worker is noted', async () => {
    const worker = await mesh.worker();
    const client = await mesh.client([worker]);
    const bill = worker.credits.bill.bind(worker.credits);
    worker.credits.bill = (served) => bill({ ...served, resultHash: '0'.repeat(64) });
    expect((await ask(client.client)).text).toBe(TEXT);
    expect(client.credits.signed.size).toBe(0);
    expect(client.swarm.refusals.counts()).toEqual({ 'false claim': 1 });
  });
});

describe('closing', () => {
  it('a worker ends what it serves, and the client goes elsewhere', async () => {
    const workers = [await mesh.worker({ tokenMs: 20 }), await mesh.worker({ tokenMs: 1 })];
    const { client } = await mesh.client(workers);
    const events = client.generate({ input: { prompt: 'hi' } });
    const asked = await reach(events, 'worker');
    await reach(events, 'chunk');
    await workers.find(({ id }) => 'worker' in asked && asked.worker === id)?.worker.close();
    expect(await reach(events, 'done')).toMatchObject({ result: { text: TEXT } });
  });

  it('a client ends what it asked', async () => {
    const worker = await mesh.worker({ tokens: Array(1_000).fill('x'), tokenMs: 5 });
    const { client, credits } = await mesh.client([worker]);
    const events = client.generate({ input: { prompt: 'hi' }, maxTokens: 1_000 });
    await reach(events, 'chunk');
    await client.close();
    expect(credits.released.size).toBe(0); // nobody was reading: it is given back when the reader comes
    await expect(reach(events, 'done')).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('leaves nothing behind', async () => {
    const before = process.getActiveResourcesInfo().length;
    const worker = await mesh.worker();
    const { client } = await mesh.client([worker]);
    await ask(client);
    await mesh.clear();
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});
