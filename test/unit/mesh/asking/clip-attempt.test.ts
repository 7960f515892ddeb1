import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import type { ClipAttemptOptions } from '../../../../src-main/mesh/asking/clip-attempt.ts';
import {
  CLIPS_CAP,
  type ClipQuestion,
  MAX_CLIP_PIECE_CHARS,
  MAX_CLIPS_BYTES,
} from '../../../../src-main/mesh/inference/clip-messages.ts';
import { INFERENCE_NETWORK, type InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { isAuthentic } from '../../../../src-main/mesh/transport/envelope.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { passing } from '../../../support/passing.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';
import { workerStatus } from '../../../support/worker-status.ts';

const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.useRealTimers();
});

/** A node that asks, and a worker that says what a test has it say. */
function setUp({ worker = new WirelessPeer(randomIdentity().id, ['worker'], [CLIPS_CAP]) } = {}) {
  const [wireless, identity] = [new WirelessNetwork(), randomIdentity()];
  const credits = new MemoryClientCredits(identity);
  const client = new MeshClient({ network: wireless.network, identity, credits, log: testLog });
  client.open();
  wireless.join(worker);
  closing.push(() => passing(client.close()));
  const [known] = client.workers();
  if (!known) throw new Error('there is no worker');
  const listeners = worker.listeners;
  const isLeftAlone = () => worker.listeners === listeners;
  const [told, ending]: [string[], AbortController] = [[], new AbortController()];
  /** Asks, and keeps what comes of it. */
  const ask = (changed: Partial<ClipAttemptOptions> = {}) => {
    const answer = client.clips(known, {
      wanted: { of: 'videos', topic: 'owls', count: 8 },
      ...{ deadlineMs: 60_000, signal: ending.signal },
      onSent: () => told.push('sent'),
      onFirstByte: () => told.push('first byte'),
      ...changed,
    });
    const came = answer.catch((error: unknown) => error);
    const [question] = worker.sent.filter(({ type }) => type === 'clip-question').slice(-1) as ClipQuestion[];
    const requestId = question?.requestId ?? '';
    const piece = (seq: number, text: string, of = requestId) =>
      worker.say({ v: 2, type: 'clip-piece', requestId: of, seq, text });
    const end = (pieces: number) => worker.say({ v: 2, type: 'clip-end', requestId, pieces });
    return { came, question, requestId, piece, end };
  };
  const cancels = () => worker.sent.filter(({ type }) => type === 'cancel');
  return { client, credits, known, worker, wireless, identity, ask, told, ending, cancels, isLeftAlone };
}

it('asks with a signed question that is meant for one worker, and takes what comes in pieces', async () => {
  const { ask, worker, identity, told, cancels, isLeftAlone } = setUp();
  const { came, question, piece, end } = ask();
  expect(INFERENCE_NETWORK.schema.safeParse(question).success).toBe(true);
  expect(question).toMatchObject({ from: identity.id, worker: worker.peer.id, of: 'videos', topic: 'owls', count: 8 });
  expect(question && isAuthentic(question)).toBe(true);
  expect(told).toEqual(['sent']);
  piece(0, '[{"a":"\ud83d');
  piece(1, '\ude00"}]');
  end(2);
  expect(await came).toBe('[{"a":"😀"}]');
  expect(told).toEqual(['sent', 'first byte']);
  expect([worker.offences, cancels(), isLeftAlone()]).toEqual([[], [], true]);
});

it('a question costs nothing, and what is known of the worker’s queue stays as it is', async () => {
  const identity = randomIdentity();
  const { ask, known, credits, worker } = setUp({ worker: new WirelessPeer(identity.id, ['worker'], [CLIPS_CAP]) });
  worker.say(workerStatus(identity, { seq: 0 }));
  const [before, opened] = [structuredClone(known.selfReport), vi.spyOn(credits, 'open')];
  const { came, end } = ask();
  expect([known.selfReport, known.isSettled]).toEqual([before, true]);
  end(0);
  expect(await came).toBe('');
  expect(opened).not.toHaveBeenCalled();
  expect(worker.sent.filter(({ type }) => type === 'prompt' || type === 'pledge')).toEqual([]);
});

it.each<[string, (asked: ReturnType<ReturnType<typeof setUp>['ask']>) => void, string]>([
  ['begins in the middle', ({ piece }) => piece(1, 'b'), 'is missing'],
  [
    'says a piece twice',
    ({ piece }) => {
      for (const seq of [0, 0]) piece(seq, 'a');
    },
    'is missing',
  ],
  [
    'leaves one out',
    ({ piece }) => {
      for (const seq of [0, 2]) piece(seq, 'a');
    },
    'is missing',
  ],
  [
    'ends before its end',
    ({ piece, end }) => {
      piece(0, 'a');
      end(2);
    },
    'is missing',
  ],
  [
    'ends with less than came',
    ({ piece, end }) => {
      piece(0, 'a');
      end(0);
    },
    'is missing',
  ],
  [
    'does not stop',
    ({ piece }) => {
      for (let seq = 0; seq < 64; seq++) piece(seq, 'ä'.repeat(MAX_CLIP_PIECE_CHARS / 2));
    },
    'more is handed in than may be',
  ],
])('a worker that %s breaks the protocol, and is not listened to any more', async (_, says, why) => {
  const { ask, worker, cancels, isLeftAlone } = setUp();
  const asked = ask();
  says(asked);
  expect(await asked.came).toMatchObject({ code: 'PROTOCOL', message: expect.stringContaining(why) });
  expect(worker.offences).toEqual([expect.stringMatching(/^protocol error: /)]);
  expect([cancels().length, isLeftAlone()]).toEqual([1, true]);
});

it('as much as may be is taken', async () => {
  const { ask, worker } = setUp();
  const { came, piece, end } = ask();
  const most = MAX_CLIPS_BYTES / MAX_CLIP_PIECE_CHARS;
  for (let seq = 0; seq < most; seq++) piece(seq, 'a'.repeat(MAX_CLIP_PIECE_CHARS));
  end(most);
  expect(await came).toHaveLength(MAX_CLIPS_BYTES);
  expect(worker.offences).toEqual([]);
});

it('what is no answer to this question is not looked at, whoever says it', async () => {
  const { ask, worker, wireless } = setUp();
  const { came, requestId, piece, end } = ask();
  piece(0, 'of another question', nextRequestId());
  const other = new WirelessPeer(randomIdentity().id, ['worker'], [CLIPS_CAP]);
  wireless.join(other);
  const lie: InferenceMessage = { v: 2, type: 'clip-piece', requestId, seq: 0, text: 'of another worker' };
  other.say(lie);
  other.say({ v: 2, type: 'clip-end', requestId, pieces: 1 });
  piece(0, 'right');
  end(1);
  expect(await came).toBe('right');
  piece(0, 'afterwards');
  expect([worker.offences, other.offences]).toEqual([[], []]);
});

it('pieces that nobody asked for are not read', () => {
  const { worker } = setUp();
  const read: InferenceMessage[] = [];
  worker.peer.onMessage((message) => read.push(message));
  worker.say({ v: 2, type: 'clip-piece', requestId: nextRequestId(), seq: 0, text: 'a' });
  worker.say({ v: 2, type: 'clip-end', requestId: nextRequestId(), pieces: 1 });
  expect(read).toEqual([]);
});

it.each([
  ['BAD_REQUEST', 'BAD_REQUEST'],
  ['QUEUE_FULL', 'QUEUE_FULL'],
  ['CANCELLED', 'WORKER_LOST'],
  ['DEADLINE', 'WORKER_LOST'],
] as const)('a refusal is told: %s as %s', async (code, told) => {
  const { ask, worker, cancels } = setUp();
  const { came, requestId } = ask();
  worker.say({ v: 2, type: 'inference_error', requestId, code, message: 'No.', retry: false, retryAfterMs: 7 });
  expect(await came).toMatchObject({ code: told });
  expect(cancels()).toEqual([]);
});

it('who says nothing has so much time and no more, whatever pieces come', async () => {
  const { ask, cancels, known } = setUp();
  const { came, piece, requestId } = ask({ deadlineMs: 5_000 });
  await vi.advanceTimersByTimeAsync(4_000);
  piece(0, 'a');
  expect(known.awaits(requestId)).toBeDefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await came).toMatchObject({ code: 'DEADLINE' });
  expect(cancels()).toMatchObject([{ requestId }]);
  expect(known.awaits(requestId)).toBeUndefined();
});

it('nobody is waited for longer than he was told that he has', async () => {
  const { ask } = setUp();
  const { came, question } = ask({ deadlineMs: 86_400_000 });
  await vi.advanceTimersByTimeAsync(question?.deadlineMs ?? 0);
  expect(await came).toMatchObject({ code: 'DEADLINE' });
});

it('a connection that ends midway ends it', async () => {
  const { ask, worker, isLeftAlone } = setUp();
  const { came, piece } = ask();
  piece(0, 'a');
  worker.peer.emit('close', 'gone');
  expect(await came).toMatchObject({ code: 'WORKER_LOST', message: expect.stringContaining('gone') });
  expect(isLeftAlone()).toBe(true);
});

it('whoever asked may take it back, before and after; the worker hears of it', async () => {
  const { ask, ending, cancels, told, worker } = setUp();
  const { came, requestId } = ask();
  ending.abort();
  expect(await came).toMatchObject({ code: 'CANCELLED' });
  expect(cancels()).toMatchObject([{ requestId }]);
  told.length = 0;
  expect(await ask().came).toMatchObject({ code: 'CANCELLED' });
  expect(told).toEqual([]);
  expect(worker.sent.filter(({ type }) => type === 'clip-question')).toHaveLength(1);
});

it('who closes its node has nothing open', async () => {
  const { ask, client } = setUp();
  const { came } = ask();
  await passing(client.close());
  expect(await came).toMatchObject({ code: 'CANCELLED' });
});

it('who has not said that it takes such questions is sent none: it would be an offence there', async () => {
  const { ask, worker, told } = setUp({ worker: new WirelessPeer(randomIdentity().id, ['worker'], ['validator']) });
  expect(await ask().came).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('hands in no clips'),
  });
  expect([worker.sent, told, worker.offences]).toEqual([[], [], []]);
});

it('what the mesh does not carry is asked of nobody', async () => {
  const { ask, worker, told } = setUp();
  const wanted = { of: 'sounds', topic: 'x'.repeat(201), count: 4 } as const;
  expect(await ask({ wanted }).came).toMatchObject({ code: 'BAD_REQUEST' });
  expect([worker.sent, told]).toEqual([[], []]);
});
