import { EventEmitter } from 'node:events';
import canonicalize from 'canonicalize';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TokenBucket } from '../../../../src-main/base/token-bucket.ts';
import { pledgeBytes } from '../../../../src-main/credits/pledge.ts';
import type { InferenceMessage, PledgeMessage, Prompt } from '../../../../src-main/mesh/inference/messages.ts';
import { Dispatcher } from '../../../../src-main/mesh/serving/dispatcher.ts';
import { PaymentWindow } from '../../../../src-main/mesh/serving/payment-window.ts';
import { PROTOCOL_VERSION, signAndHash } from '../../../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../../../src-main/mesh/transport/identity.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { Refusals } from '../../../../src-main/mesh/transport/refusals.ts';
import { nextRequestId, openCreditNode, testIdentity } from '../../../support/credit-nodes.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
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

async function openDispatcher(books: keyof typeof BOOKS) {
  const backend = new ScriptedBackend({ tokens: ['Hello'] });
  const dispatcher = new Dispatcher({
    worker: worker.id,
    backend,
    credits: await BOOKS[books](),
    health: () => ({ score: 90, state: 'idle', capacity: 100, accepting: true }),
    maxDeadlineMs: 60_000,
    refusals: new Refusals(testLog),
    onChange: () => {},
    now: Date.now,
    log: testLog,
  });
  closers.push(() => dispatcher.close());
  return { dispatcher, backend };
}

/** A connected client that keeps what it is sent, and pledges a credit for each request that is taken while it `pledges`. */
function connect({ id }: Identity, dispatcher: Dispatcher) {
  const received: InferenceMessage[] = [];
  const mood = { pledges: true };
  const send = (message: InferenceMessage) => {
    if (message.type === 'queue-status' && mood.pledges)
      queueMicrotask(() => dispatcher.pledged(peer, pledgeFor(message.requestId)));
    return received.push(message) > 0;
  };
  const pace = new TokenBucket(100, 100, Date.now());
  const peer = Object.assign(new EventEmitter(), {
    id,
    host: '127.0.0.1',
    send,
    pace,
  }) as unknown as Peer<InferenceMessage>;
  const ends = () => received.filter(({ type }) => type === 'inference_result' || type === 'inference_error');
  const chunks = () => received.filter(({ type }) => type === 'chunk');
  return { peer, ends, mood, chunks };
}

/** The hashes of what was asked, by request id. */
const hashes = new Map<string, string>();

function prompt(requestId: string): Prompt {
  const params = { input: { prompt: 'x' }, params: {}, maxTokens: 5, deadlineMs: 60_000 };
  const body = { type: 'prompt' as const, requestId, worker: worker.id, ...params };
  const { message, hash } = signAndHash<Prompt>(body, client, Date.now());
  hashes.set(requestId, hash);
  return message;
}

function pledgeFor(requestId: string): PledgeMessage {
  const promptHash = hashes.get(requestId) ?? '';
  const said = { requestId, worker: worker.id, client: client.id, promptHash, credits: 1 };
  return { v: PROTOCOL_VERSION, type: 'pledge', requestId, credits: 1, sig: client.sign(pledgeBytes(said)) };
}

it('puts a prompt into its signed form once, which is most of what a large one costs', async () => {
  const { dispatcher } = await openDispatcher('real');
  const { peer, ends } = connect(client, dispatcher);
  const asked = prompt(nextRequestId());
  vi.mocked(canonicalize).mockClear();
  dispatcher.receive(peer, asked);
  await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
  const types = vi.mocked(canonicalize).mock.calls.map(([message]) => (message as { type?: string }).type);
  expect(types.filter((type) => type === 'prompt')).toHaveLength(1);
});

describe.each(['real', 'memory'] as const)('a request id on the %s books', (books) => {
  it('that was answered but not paid for buys no second answer', async () => {
    const { dispatcher, backend } = await openDispatcher(books);
    const { peer, ends } = connect(client, dispatcher);
    const requestId = nextRequestId();
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_error', requestId, code: 'BAD_REQUEST' }]);
    expect(backend.started).toHaveLength(1);
  });

  it('whose answer was cancelled before anything was pledged may be asked again', async () => {
    const { dispatcher, backend } = await openDispatcher(books);
    const { peer, ends, mood } = connect(client, dispatcher);
    const requestId = nextRequestId();
    mood.pledges = false;
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(() => backend.active).toBe(1);
    dispatcher.cancel(peer, requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error' }]);
    mood.pledges = true;
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_result' }]);
  });

  it('that was paid for in part is used up', async () => {
    const { dispatcher, backend } = await openDispatcher(books);
    const { peer, ends } = connect(client, dispatcher);
    const requestId = nextRequestId();
    backend.before = () => new Promise(() => {});
    const kept = vi.spyOn(PaymentWindow.prototype, 'open');
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(() => kept.mock.calls.length).toBe(1);
    dispatcher.cancel(peer, requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error', code: 'CANCELLED' }]);
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_error', code: 'BAD_REQUEST' }]);
  });
});

it('an answer whose client does not pledge is given up, and no token of it goes out', async () => {
  const { dispatcher } = await openDispatcher('memory');
  const { peer, ends, mood, chunks } = connect(client, dispatcher);
  mood.pledges = false;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  dispatcher.receive(peer, prompt(nextRequestId()));
  while (ends().length === 0) await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(ends()).toMatchObject([{ type: 'inference_error', code: 'NO_CREDIT' }]);
  expect(chunks()).toEqual([]);
});
