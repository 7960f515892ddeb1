import { expect, it, vi } from 'vitest';
import { ClipText } from '../../../../src-main/mesh/asking/clip-text.ts';
import {
  type ClipEnd,
  type ClipQuestion,
  clipQuestionSchema,
  MAX_CLIP_PIECE_CHARS,
  MAX_CLIPS_BYTES,
} from '../../../../src-main/mesh/inference/clip-messages.ts';
import { INFERENCE_NETWORK, type InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { type AskedClips, ClipDoor } from '../../../../src-main/mesh/serving/clip-door.ts';
import { signEvidence } from '../../../../src-main/mesh/transport/envelope.ts';
import { Refusals } from '../../../../src-main/mesh/transport/guards/refusals.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

const NOW = 1_000_000;

/** A miner’s door, and a validator that is before it. @param handIn how it answers; by default with a list of nothing */
function setUp({
  handIn = async () => '[]',
  isTrusted = true,
}: {
  handIn?: (asked: AskedClips) => Promise<string>;
  isTrusted?: boolean;
} = {}) {
  const [miner, validator] = [randomIdentity(), randomIdentity()];
  const wireless = new WirelessNetwork();
  const refusals = new Refusals(testLog);
  const network = Object.assign(wireless.network, { swarm: { refusals } });
  const clock = { now: NOW };
  const asked: AskedClips[] = [];
  const door = new ClipDoor({
    network,
    worker: miner.id,
    trusts: (node) => isTrusted && node === validator.id,
    handIn: (one) => {
      asked.push(one);
      return handIn(one);
    },
    now: () => clock.now,
    log: testLog,
  });
  door.open();
  const peer = new WirelessPeer(validator.id, ['client']);
  wireless.join(peer);
  const question = (changed: Partial<ClipQuestion> = {}, by = validator): ClipQuestion => ({
    ...signEvidence<ClipQuestion>(
      {
        type: 'clip-question',
        ...{ requestId: nextRequestId(), worker: miner.id, of: 'videos', topic: 'owls', count: 8, deadlineMs: 60_000 },
        ...changed,
      },
      by,
      clock.now,
    ),
  });
  const last = () => peer.sent.at(-1);
  const ended = () => expect.poll(last).toMatchObject({ type: expect.stringMatching(/^(clip-end|inference_error)$/) });
  return { door, wireless, peer, question, asked, clock, refusals, last, ended, validator, miner };
}

it('hands in what is asked of who is trusted, in pieces that fit a frame, whatever is in them', async () => {
  const text = `${'"\\\u0000'.repeat(60_000)}${'😀'.repeat(30_000)}`;
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_CLIPS_BYTES);
  const { peer, question, asked, ended, last, validator } = setUp({ handIn: async () => text });
  const one = question();
  peer.say(one);
  await ended();
  expect(asked).toMatchObject([{ of: 'videos', topic: 'owls', count: 8, asker: validator.id }]);
  const pieces = peer.sent.flatMap((message) => (message.type === 'clip-piece' ? [message] : []));
  expect(pieces.map(({ seq }) => seq)).toEqual([...pieces.keys()]);
  expect(pieces).toHaveLength(Math.ceil(text.length / MAX_CLIP_PIECE_CHARS));
  expect(last()).toEqual({ v: 2, type: 'clip-end', requestId: one.requestId, pieces: pieces.length });
  const frames = peer.sent.map((message) => JSON.stringify(message));
  for (const frame of frames) expect(Buffer.byteLength(frame)).toBeLessThan(INFERENCE_NETWORK.maxFrame);
  const read = frames.map((frame) => INFERENCE_NETWORK.schema.parse(JSON.parse(frame)));
  expect(read.map((message) => (message.type === 'clip-piece' ? message.text : '')).join('')).toBe(text);
  expect(peer.offences).toEqual([]);
});

it('as much as may be handed in is taken by who counts it, whatever characters it has', async () => {
  const text = `a${'😀'.repeat((MAX_CLIPS_BYTES - 1) >> 2)}`;
  const { peer, question, ended } = setUp({ handIn: async () => text });
  peer.say(question());
  await ended();
  const came = new ClipText();
  const faults = peer.sent.map((message) => (message.type === 'clip-piece' ? came.take(message) : undefined));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  expect(came.whole(peer.sent.at(-1) as ClipEnd) === text).toBe(true);
});

it('nothing to hand in is an answer, too', async () => {
  const { peer, question, ended, last } = setUp({ handIn: async () => '' });
  peer.say(question());
  await ended();
  expect(last()).toMatchObject({ type: 'clip-end', pieces: 0 });
});

it('a stranger gets nothing, hears why and what to do, and nobody is asked', async () => {
  const { peer, question, asked, last, refusals, validator } = setUp({ isTrusted: false });
  peer.say(question());
  expect(last()).toMatchObject({
    type: 'inference_error',
    code: 'BAD_REQUEST',
    message: expect.stringContaining('only to validators that its owner has named'),
    hint: expect.stringContaining(validator.id),
    retry: false,
  });
  expect(asked).toEqual([]);
  expect(refusals.counts()).toEqual({ BAD_REQUEST: 1 });
  expect(peer.offences).toEqual([]);
});

it.each<[string, (one: ReturnType<typeof setUp>) => ClipQuestion, string]>([
  ['unsigned', ({ question }) => ({ ...question(), sig: '0'.repeat(128) }), 'wrong signature: clip-question'],
  ['changed on its way', ({ question }) => ({ ...question(), count: 64 }), 'wrong signature: clip-question'],
  [
    'of somebody else',
    ({ question }) => question({}, randomIdentity()),
    'wrong signature: clip-question of another client',
  ],
  [
    'for another worker',
    ({ question }) => question({ worker: randomIdentity().id }),
    'wrong signature: clip-question for another worker',
  ],
])('a question that is %s is an offence, and not answered', (_, said, offence) => {
  const one = setUp();
  one.peer.say(said(one));
  expect(one.peer.offences).toEqual([offence]);
  expect([one.asked, one.peer.sent]).toEqual([[], []]);
});

it('a question counts once, and while it is fresh', async () => {
  const { peer, question, asked, ended, clock, last } = setUp();
  const one = question();
  peer.say(one);
  await ended();
  peer.say(one);
  expect(peer.offences).toEqual(['replay: clip-question']);
  expect(asked).toHaveLength(1);
  const old = question();
  clock.now += 200_000;
  peer.say(old);
  expect(last()).toMatchObject({ code: 'BAD_REQUEST', field: 'ts' });
  expect(asked).toHaveLength(1);
});

it('of one asker one question is answered at a time, and what it takes back is given up', async () => {
  const { peer, question, asked, last } = setUp({ handIn: untilAborted });
  const [first, second] = [question(), question()];
  peer.say(first);
  peer.say(second);
  expect(last()).toMatchObject({ requestId: second.requestId, code: 'RATE_LIMIT', retry: true });
  peer.say({ v: 2, type: 'cancel', requestId: second.requestId });
  expect(asked[0]?.signal.aborted).toBe(false);
  peer.say({ v: 2, type: 'cancel', requestId: first.requestId });
  await expect.poll(last).toMatchObject({ requestId: first.requestId, code: 'CANCELLED' });
  peer.say(question());
  expect(asked).toHaveLength(2);
  peer.say({ v: 2, type: 'cancel', requestId: question().requestId });
  expect(asked[1]?.signal.aborted).toBe(false);
});

it('who leaves is worked for no longer, and what took its time is sent to nobody', async () => {
  const { door, wireless, peer, question, asked } = setUp({ handIn: untilAborted });
  peer.say(question());
  wireless.leave(peer);
  expect(asked[0]?.signal.aborted).toBe(true);
  await door.close();
  expect(peer.sent.filter(({ type }) => type.startsWith('clip-'))).toEqual([]);
});

it('who comes by another connection is answered there, whenever the one before is found to have ended', async () => {
  const { door, wireless, peer, question, asked, validator } = setUp({ handIn: untilAborted });
  const again = new WirelessPeer(validator.id, ['client']);
  wireless.join(again);
  again.say(question());
  wireless.leave(peer);
  expect(asked[0]?.signal.aborted).toBe(false);
  wireless.leave(again);
  expect(asked[0]?.signal.aborted).toBe(true);
  await door.close();
});

it('what is ready after it was taken back is sent to nobody', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { peer, question, last } = setUp({ handIn: () => promise });
  const one = question();
  peer.say(one);
  peer.say({ v: 2, type: 'cancel', requestId: one.requestId });
  resolve('[1]');
  await expect.poll(last).toMatchObject({ requestId: one.requestId, code: 'CANCELLED' });
  expect(peer.sent).toHaveLength(1);
});

it('a question has the time that it names, and no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { peer, question, asked, last } = setUp({ handIn: untilAborted });
    peer.say(question({ deadlineMs: 5_000 }));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(asked[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(last()).toMatchObject({ code: 'DEADLINE', retry: true });
  } finally {
    vi.useRealTimers();
  }
});

it('ten questions a minute are looked at, others refused, and who does not stop is dropped', async () => {
  const { peer, question, clock, asked, last } = setUp({ isTrusted: false });
  for (let count = 0; count < 10; count++) peer.say(question());
  expect(peer.sent.every((message) => message.type === 'inference_error' && message.code === 'BAD_REQUEST')).toBe(true);
  peer.say(question());
  expect(last()).toMatchObject({ code: 'RATE_LIMIT', retry: true, retryAfterMs: 6_000 });
  for (let count = 0; count < 50; count++) peer.say(question());
  expect(peer.offences).toEqual(['too many frames: clips, asked for without end']);
  clock.now += 6_000;
  peer.say(question());
  expect(last()).toMatchObject({ code: 'BAD_REQUEST' });
  expect(asked).toEqual([]);
});

it('why there is nothing now is told; faults of this node, and more than may be handed in, are not', async () => {
  const failures = [
    new QuarryError({ code: 'QUEUE_FULL', message: 'Later.', retryable: true, retryAfterMs: 10_000 }),
    new Error('/secret/path'),
  ];
  const { peer, question, last } = setUp({
    handIn: async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'ä'.repeat(MAX_CLIPS_BYTES / 2 + 1);
    },
  });
  const told = async () => {
    const one = question();
    peer.say(one);
    await expect.poll(last).toMatchObject({ requestId: one.requestId });
    return last();
  };
  expect(await told()).toMatchObject({ code: 'QUEUE_FULL', message: 'Later.', retryAfterMs: 10_000 });
  for (let count = 0; count < 2; count++) {
    const said = JSON.stringify(await told());
    expect(said).toContain('"INTERNAL"');
    expect(said).not.toContain('secret');
  }
});

it('at the end nothing more is taken, what is worked on is ended, and all of it is waited for', async () => {
  const { door, peer, question, asked, last } = setUp({ handIn: untilAborted });
  peer.say(question());
  await door.close();
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(last()).toMatchObject({ code: 'NOT_RUNNING', retry: true });
  const { length } = peer.sent;
  peer.say(question());
  expect([asked.length, peer.sent.length - length]).toEqual([1, 1]);
});

it('a drain lets what is worked on come to its end', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { door, peer, question, last } = setUp({ handIn: () => promise });
  peer.say(question());
  const drained = door.drain();
  peer.say(question());
  expect(last()).toMatchObject({ code: 'NOT_RUNNING' });
  resolve('[1]');
  await drained;
  expect(last()).toMatchObject({ type: 'clip-end', pieces: 1 });
});

it.each([
  ['topic', 'x'.repeat(201)],
  ['topic', ' '],
  ['count', 0],
  ['count', 65],
  ['of', 'pictures'],
  ['deadlineMs', 600_001],
])('no frame has another %s: %s', (field, value) => {
  const { question } = setUp();
  expect(clipQuestionSchema.safeParse(question()).success).toBe(true);
  expect(clipQuestionSchema.safeParse({ ...question(), [field]: value }).success).toBe(false);
});

/** Works until nobody waits for it any more. */
function untilAborted({ signal }: AskedClips): Promise<string> {
  const { promise, reject } = Promise.withResolvers<string>();
  signal.addEventListener('abort', () => reject(signal.reason));
  return promise;
}

it('other messages are left to others', () => {
  const { peer, asked } = setUp();
  const message: InferenceMessage = { v: 2, type: 'cancel', requestId: nextRequestId() };
  peer.say(message);
  expect([asked, peer.sent, peer.offences]).toEqual([[], [], []]);
});
