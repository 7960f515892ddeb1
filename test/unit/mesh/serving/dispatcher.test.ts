import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../src-main/base/token-bucket.ts';
import { Dispatcher } from '../../../../src-main/mesh/serving/dispatcher.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../../../src-main/mesh/transport/identity.ts';
import type { InferenceMessage, Prompt } from '../../../../src-main/mesh/transport/messages.ts';
import type { Peer } from '../../../../src-main/mesh/transport/peer.ts';
import { Refusals } from '../../../../src-main/mesh/transport/refusals.ts';
import { nextRequestId, openCreditNode, testIdentity } from '../../../support/credit-nodes.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

const worker = testIdentity(1);
const client = testIdentity(2);

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
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
    maxDeadlineMs: 10_000,
    refusals: new Refusals(testLog),
    onChange: () => {},
    now: Date.now,
    log: testLog,
  });
  closers.push(() => dispatcher.close());
  return { dispatcher, backend };
}

/** A connected client that keeps what it is sent. */
function connect({ id }: Identity) {
  const received: InferenceMessage[] = [];
  const send = (message: InferenceMessage) => received.push(message) > 0;
  const peer = Object.assign(new EventEmitter(), { id, send, pace: new TokenBucket(100, 100, Date.now()) });
  const ends = () => received.filter(({ type }) => type === 'inference_result' || type === 'inference_error');
  return { peer: peer as unknown as Peer<InferenceMessage>, ends };
}

function prompt(requestId: string): Prompt {
  const params = { input: { prompt: 'x' }, params: {}, maxTokens: 5, deadlineMs: 10_000 };
  return signEvidence<Prompt>({ type: 'prompt', requestId, worker: worker.id, ...params }, client, Date.now());
}

describe.each(['real', 'memory'] as const)('a request id on the %s books', (books) => {
  it('that was answered but not paid for buys no second answer', async () => {
    const { dispatcher, backend } = await openDispatcher(books);
    const { peer, ends } = connect(client);
    const requestId = nextRequestId();
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{ type: 'inference_result' }]);
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_error', requestId, code: 'BAD_REQUEST' }]);
    expect(backend.started).toHaveLength(1);
  });

  it('whose answer was cancelled may be asked again', async () => {
    const { dispatcher, backend } = await openDispatcher(books);
    const { peer, ends } = connect(client);
    const requestId = nextRequestId();
    backend.before = () => new Promise(() => {});
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(() => backend.active).toBe(1);
    dispatcher.cancel(peer, requestId);
    await expect.poll(ends).toMatchObject([{ type: 'inference_error' }]);
    backend.before = () => {};
    dispatcher.receive(peer, prompt(requestId));
    await expect.poll(ends).toMatchObject([{}, { type: 'inference_result' }]);
  });
});
