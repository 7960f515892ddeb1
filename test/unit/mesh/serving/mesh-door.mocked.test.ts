import { EventEmitter } from 'node:events';
import canonicalize from 'canonicalize';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TokenBucket } from '../../../../src-main/base/token-bucket.ts';
import type { WorkerCredits } from '../../../../src-main/credits/credits.ts';
import { pledgeBytes } from '../../../../src-main/credits/pledge.ts';
import type { InferenceMessage, PledgeMessage, Prompt } from '../../../../src-main/mesh/inference/messages.ts';
import { SILENT_TOKENS } from '../../../../src-main/mesh/inference/shown-tokens.ts';
import type { MeshDoor } from '../../../../src-main/mesh/serving/mesh-door.ts';
import { PaymentWindow } from '../../../../src-main/mesh/serving/payment-window.ts';
import { PROTOCOL_VERSION, signAndHash } from '../../../../src-main/mesh/transport/envelope.ts';
import { Refusals } from '../../../../src-main/mesh/transport/guards/refusals.ts';
import type { Identity } from '../../../../src-main/mesh/transport/identity.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { nextRequestId, openCreditNode, testIdentity } from '../../../support/credit-nodes.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
import { openMeshDoor } from '../../../support/mesh-door.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

vi.mock('canonicalize', async (original) => {
  const { default: canonicalize } = await original<typeof import('canonicalize')>();
  return { default: vi.fn(canonicalize) };
});

const worker = testIdentity(1);
const client = testIdentity(2);

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.restoreAllMocks();
});

/** The real books, and those in memory that other tests of the mesh rely on. */
const BOOKS = {
  real: async () => {
    const node = await openCreditNode(1, { clock: { now: Date.now() } });
    closers.push(() => node.close());
    return node.book.worker;
  },
  memory: async () => new MemoryWorkerCredits(worker),
};

async function openDoor(books: keyof typeof BOOKS, credits?: WorkerCredits, tokens = ['Hello'], now = Date.now) {
  const backend = new ScriptedBackend({ tokens });
  const { door, dispatcher, close } = openMeshDoor({
    identity: worker,
    backend,
    credits: credits ?? (await BOOKS[books]()),
    refusals: new Refusals(testLog),
    now,
    log: testLog,
  });
  closers.push(close);
  return { door, dispatcher, backend };
}

const words = (count: number) => Array.from({ length: count }, () => 'w ');

/** A connected client that keeps what it is sent, and pledges a credit for each request that is taken while it `pledges`. */
function connect({ id }: Identity, door: MeshDoor) {
  const received: InferenceMessage[] = [];
  const mood = { pledges: true };
  const send = (message: InferenceMessage) => {
    if (message.type === 'queue-status' && mood.pledges)
      queueMicrotask(() => door.pledged(peer, pledgeFor(message.requestId)));
    return received.push(message) > 0;
  };
  const pace = new TokenBucket(100, 100, Date.now());
  const faults: string[] = [];
  const peer = Object.assign(new EventEmitter(), {
    id,
    host: '127.0.0.1',
    send,
    pace,
    offend: (offence: string, detail: string) => faults.push(`offence: ${offence}, ${detail}`),
    blame: (offence: string, detail: string) => faults.push(`blame: ${offence}, ${detail}`),
  }) as unknown as Peer<InferenceMessage>;
  const ends = () => received.filter(({ type }) => type === 'inference_result' || type === 'inference_error');
  const chunks = () => received.filter(({ type }) => type === 'chunk');
  return { peer, ends, mood, chunks, faults };
}

/** The hashes of what was asked, by request id. */
const hashes = new Map<string, string>();

function prompt(requestId: string, maxTokens = 5): Prompt {
  const params = { input: { prompt: 'x' }, params: {}, maxTokens, deadlineMs: 60_000 };
  const body = { type: 'prompt' as const, requestId, worker: worker.id, ...params };
  const { message, hash } = signAndHash<Prompt>(body, client, Date.now());
  hashes.set(requestId, hash);
  return message;
}

function pledgeFor(requestId: string, credits = 1): PledgeMessage {
  const promptHash = hashes.get(requestId) ?? '';
  const said = { requestId, worker: worker.id, client: client.id, promptHash, credits };
  return { v: PROTOCOL_VERSION, type: 'pledge', requestId, credits, sig: client.sign(pledgeBytes(said)) };
}

it('tells and bills no more tokens than its client believes: a server that thinks first counts what it does not show', async () => {
  const { door, backend } = await openDoor('real', undefined, ['Yes.']);
  backend.hidden = 4_000;
  const { peer, ends, faults } = connect(client, door);
  door.receive(peer, prompt(nextRequestId(), 512));
  const counts = { completionTokens: 'Yes.'.length + SILENT_TOKENS };
  await expect.poll(ends).toMatchObject([{ type: 'inference_result', ...counts, receipt: { body: counts } }]);
  expect(faults).toEqual([]);
});

it('puts a prompt into its signed form once, which is most of what a large one costs', async () => {
  const { door } = await openDoor('real');
  const { peer, ends } = connect(client, door);
  const asked = prompt(nextRequestId());
  vi.mocked(canonicalize).mockClear();
  door.receive(peer, asked);
  await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
  const types = vi.mocked(canonicalize).mock.calls.map(([message]) => (message as { type?: string }).type);
  expect(types.filter((type) => type === 'prompt')).toHaveLength(1);
});

describe.each(['real', 'memory'] as const)('a request id on the %s books', (books) => {
  it('that was answered but not paid for buys no second answer', async () => {
    const { door, backend } = await openDoor(books);
    const { peer, ends } = connect(client, door);
    const requestId = nextRequestId();
    door.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
    door.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_error', requestId, code: 'BAD_REQUEST' }]);
    expect(backend.started).toHaveLength(1);
  });

  it('whose answer was cancelled before anything was pledged may be asked again', async () => {
    const { door, backend } = await openDoor(books);
    const { peer, ends, mood } = connect(client, door);
    const requestId = nextRequestId();
    mood.pledges = false;
    door.receive(peer, prompt(requestId));
    await expect.poll(() => backend.active).toBe(1);
    door.cancel(peer, requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error' }]);
    mood.pledges = true;
    door.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_result' }]);
  });

  it('that was paid for in part is used up', async () => {
    const { door, backend } = await openDoor(books, undefined, words(2));
    const { peer, ends, chunks } = connect(client, door);
    const requestId = nextRequestId();
    backend.before = (index) => (index === 0 ? undefined : new Promise(() => {}));
    const kept = vi.spyOn(PaymentWindow.prototype, 'open');
    door.receive(peer, prompt(requestId));
    await expect.poll(() => kept.mock.calls.length).toBe(1);
    await expect.poll(() => chunks().length).toBe(1);
    door.cancel(peer, requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error', code: 'CANCELLED' }]);
    door.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_error', code: 'BAD_REQUEST' }]);
  });
});

it('an answer whose client does not pledge is given up, and no token of it goes out', async () => {
  const { door } = await openDoor('memory');
  const { peer, ends, mood, chunks } = connect(client, door);
  mood.pledges = false;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  door.receive(peer, prompt(nextRequestId()));
  while (ends().length === 0) await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(ends()).toMatchObject([{ type: 'inference_error', code: 'NO_CREDIT' }]);
  expect(chunks()).toEqual([]);
});

describe('an engine that was asked', () => {
  async function letStand(times: number) {
    const credits = new MemoryWorkerCredits(worker);
    const released = vi.spyOn(credits, 'release');
    const { door } = await openDoor('memory', credits);
    const { peer, ends, mood, faults } = connect(client, door);
    mood.pledges = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let ms = 0;
    for (let asked = 1; asked <= times; asked++) {
      door.receive(peer, prompt(nextRequestId()));
      for (; ends().length < asked; ms += 100) await vi.advanceTimersByTimeAsync(100);
    }
    vi.useRealTimers();
    return { ms, faults, released };
  }

  it('waits five seconds for the first pledge, and tells the books that it was asked', async () => {
    const { ms, released, faults } = await letStand(1);
    expect(ms).toBeGreaterThanOrEqual(5_000);
    expect(ms).toBeLessThan(6_000);
    expect(released.mock.calls).toMatchObject([[{}, 'NO_CREDIT', { streamed: 0 }]]);
    expect(faults).toEqual([]);
  });

  it('is held for nothing by a client twice; the third time that is blamed', async () => {
    const { faults } = await letStand(3);
    expect(faults).toEqual(['blame: false claim, asked, and did not pledge']);
  });

  it('is held at the end of its window by a client twice; the third time that is blamed', async () => {
    const { door } = await openDoor('memory', undefined, words(300));
    const { peer, ends, faults } = connect(client, door);
    const room = vi.spyOn(PaymentWindow.prototype, 'room');
    const stands = () => room.mock.calls.filter(([tokens]) => tokens === 257).length;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let asked = 1; asked <= 3; asked++) {
      door.receive(peer, prompt(nextRequestId(), 300));
      while (stands() < asked) await new Promise(setImmediate);
      while (ends().length < asked) await vi.advanceTimersByTimeAsync(1_000);
    }
    vi.useRealTimers();
    expect(ends()).toMatchObject(Array(3).fill({ code: 'NO_CREDIT' }));
    expect(faults).toEqual(['blame: false claim, asked, and did not pledge']);
  });

  it.each<
    [string, 'inference_error' | 'inference_result', (...held: [MeshDoor, Peer<InferenceMessage>, string]) => void]
  >([
    [
      'until just before that, by one who cancels then or leaves it little time',
      'inference_error',
      (door, peer, requestId) => door.cancel(peer, requestId),
    ],
    [
      'for long by one who pledges in the end',
      'inference_result',
      (door, peer, requestId) => door.pledged(peer, pledgeFor(requestId, 2)),
    ],
  ])('is held %s, for as little', async (_, type, letGo) => {
    let ms = 0;
    const { door } = await openDoor('memory', undefined, words(300), () => Date.now() + ms);
    const { peer, ends, faults } = connect(client, door);
    const room = vi.spyOn(PaymentWindow.prototype, 'room');
    const stands = () => room.mock.calls.filter(([tokens]) => tokens === 257).length;
    for (let asked = 1; asked <= 3; asked++) {
      const requestId = nextRequestId();
      door.receive(peer, prompt(requestId, 300));
      await expect.poll(stands).toBe(asked);
      ms += 10_000;
      letGo(door, peer, requestId);
      await expect.poll(() => ends().length).toBe(asked);
    }
    expect(ends()).toMatchObject(Array(3).fill({ type }));
    expect(faults).toEqual(['blame: false claim, asked, and did not pledge']);
  });

  it('was not, for a request that is taken back while it waits: that costs nothing', async () => {
    const credits = new MemoryWorkerCredits(worker);
    const released = vi.spyOn(credits, 'release');
    const { door, dispatcher, backend } = await openDoor('memory', credits);
    backend.before = () => new Promise(() => {});
    const { peer, ends } = connect(client, door);
    door.receive(peer, prompt(nextRequestId()));
    await expect.poll(() => backend.active).toBe(1);
    const waits = prompt(nextRequestId());
    door.receive(peer, waits);
    await expect.poll(() => dispatcher.report().waiting).toBe(1);
    door.cancel(peer, waits.requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error', code: 'CANCELLED' }]);
    expect(released.mock.calls).toEqual([[expect.anything(), 'CANCELLED', undefined]]);
  });
});

describe('pledges', () => {
  /** So many tokens were sent, and nothing is at the books. */
  async function running(sent: number) {
    const credits = new MemoryWorkerCredits(worker);
    const { door, backend } = await openDoor('memory', credits, words(sent + 1));
    backend.before = (index) => (index < sent ? undefined : new Promise(() => {}));
    const room = vi.spyOn(PaymentWindow.prototype, 'room').mockResolvedValue();
    closers.push(async () => room.mockRestore());
    const connected = connect(client, door);
    connected.mood.pledges = false;
    const asked = prompt(nextRequestId(), sent + 1);
    door.receive(connected.peer, asked);
    await expect.poll(() => room.mock.calls.length).toBe(sent);
    await expect.poll(() => backend.active).toBe(1);
    const bring = (sum: number) => door.pledged(connected.peer, pledgeFor(asked.requestId, sum));
    return { ...connected, credits, bring };
  }

  it.each([
    [0, 1],
    [1, 2],
    [256, 2],
    [257, 3],
  ])(
    'for more than was sent are an offence, and never reach the books: after %i tokens above %i',
    async (sent, most) => {
      const { credits, bring, faults } = await running(sent);
      const kept = vi.spyOn(credits, 'keepPledge');
      bring(most + 1);
      expect(faults).toEqual(['offence: false claim, pledged more than has been sent']);
      expect(kept).not.toHaveBeenCalled();
      bring(most);
      expect(kept).toHaveBeenCalledTimes(1);
    },
  );

  it('go to the books one at a time, the greatest of those that came meanwhile', async () => {
    const { credits, bring } = await running(256 * 5);
    const atBooks: number[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    closers.push(async () => resolve());
    credits.keepPledge = async ({ credits: sum }) => {
      atBooks.push(sum);
      await promise;
    };
    for (const sum of [1, 1, 3, 2, 3, 5, 4]) bring(sum);
    expect(atBooks).toEqual([1]);
    resolve();
    await expect.poll(() => atBooks).toEqual([1, 5]);
    bring(6);
    await expect.poll(() => atBooks).toEqual([1, 5, 6]);
  });

  it('that cannot be kept are logged once in a while', async () => {
    const { credits, bring } = await running(256 * 9);
    const warn = vi.spyOn(testLog, 'warn');
    credits.keepPledge = () => Promise.reject(new Error('the disk is full'));
    for (let sum = 1; sum <= 9; sum++) {
      bring(sum);
      await new Promise(setImmediate);
    }
    expect(warn.mock.calls.filter(([, text]) => text === 'a pledge was not kept')).toHaveLength(1);
  });
});

it('an answer without a word goes out once its client has pledged, and not before', async () => {
  const { door, backend } = await openDoor('memory', undefined, []);
  const { peer, ends, mood } = connect(client, door);
  mood.pledges = false;
  const requestId = nextRequestId();
  const room = vi.spyOn(PaymentWindow.prototype, 'room');
  door.receive(peer, prompt(requestId));
  await expect.poll(() => [backend.active, room.mock.calls.length]).toEqual([0, 1]);
  expect(ends()).toEqual([]);
  door.pledged(peer, pledgeFor(requestId));
  await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
});
