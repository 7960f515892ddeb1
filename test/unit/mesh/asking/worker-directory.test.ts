import { describe, expect, it } from 'vitest';
import { KnownWorker } from '../../../../src-main/mesh/asking/known-worker.ts';
import { WorkerDirectory } from '../../../../src-main/mesh/asking/worker-directory.ts';
import type { Chunk, InferenceMessage, Status, TermsMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { randomIdentity } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';
import { workerStatus } from '../../../support/worker-status.ts';

const NOW = 1_000_000;

function open(sides?: string[]) {
  const wireless = new WirelessNetwork();
  const clock = { now: NOW };
  const heard: string[] = [];
  const directory = new WorkerDirectory({
    network: wireless.network,
    now: () => clock.now,
    onStatus: ({ status }) => heard.push(`status ${status?.seq}`),
    onTerms: () => heard.push('terms'),
  });
  directory.open();
  const identity = randomIdentity();
  const peer = new WirelessPeer(identity.id, sides);
  wireless.join(peer);
  const read: InferenceMessage[] = [];
  peer.peer.onMessage((message) => read.push(message));
  const status = (seq: number): Status => workerStatus(identity, { seq, models: [] }, NOW);
  const [worker] = directory.list();
  return { clock, heard, read, peer, status, worker: worker ?? new KnownWorker(peer.peer) };
}

const TERMS: TermsMessage = { v: 2, type: 'terms', owed: 0, gift: 0, salt: '0'.repeat(32), voices: [] };

describe('what a worker says of itself', () => {
  it('is looked at no more than it should be said: neither schema nor signature is reached', () => {
    const { clock, heard, read, peer, status } = open();
    for (let seq = 0; seq < 200; seq++) peer.say({ ...status(seq), ...(seq >= 32 && { sig: '0'.repeat(128) }) });
    for (let count = 0; count < 200; count++) peer.say(TERMS);
    expect([heard.length, read.length, peer.offences]).toEqual([36, 36, []]);
    clock.now += 1_000;
    for (let seq = 200; seq < 210; seq++) for (const message of [status(seq), TERMS]) peer.say(message);
    expect(heard.slice(36)).toEqual(['status 200', 'terms', 'status 201', 'status 202', 'status 203']);
  });

  it('is not looked at twice, and costs nothing of what it may say', () => {
    const { heard, read, peer, status } = open();
    peer.say(status(5));
    for (let count = 0; count < 500; count++) peer.say(status(count % 6));
    peer.say(status(6));
    expect([heard, read.length]).toEqual([['status 5', 'status 6'], 2]);
  });

  it('is not read of who is no worker', () => {
    const { read, peer, status } = open(['client']);
    for (const message of [status(0), TERMS]) peer.say(message);
    peer.say({ v: 2, type: 'vouch', requestId: nextRequestId(), kind: 'claim', worker: '0'.repeat(64), credits: 1 });
    expect(read.map(({ type }) => type)).toEqual(['vouch']);
  });
});

describe('an answer', () => {
  const probability = { token: 'a', bytes: [97], logprob: -1 };
  const chunk = (requestId: string): Chunk => ({
    v: 2,
    type: 'chunk',
    requestId,
    seq: 0,
    text: 'a',
    tokens: 1,
    logprobs: [{ ...probability, top: [probability] }],
  });

  it('that nobody awaits is not read', () => {
    const { read, peer, worker } = open();
    const [awaited, over] = [nextRequestId(), nextRequestId()];
    worker.begin().sent(awaited, { logprobs: false });
    for (const requestId of [awaited, over]) {
      const place = { position: 0, etaMs: 0, tier: 'newcomer', funds: 'gift' } as const;
      peer.say({ v: 2, type: 'queue-status', requestId, ...place });
      peer.say(chunk(requestId));
      peer.say({ v: 2, type: 'inference_error', requestId, code: 'INTERNAL', message: '', retry: true });
    }
    expect(read.map((message) => [message.type, 'requestId' in message && message.requestId])).toEqual([
      ['queue-status', awaited],
      ['chunk', awaited],
      ['inference_error', awaited],
    ]);
  });

  it('has log-probabilities only where they were asked for', () => {
    const { read, peer, worker } = open();
    const [plain, asked] = [nextRequestId(), nextRequestId()];
    worker.begin().sent(plain, { logprobs: false });
    worker.begin().sent(asked, { logprobs: true });
    for (const requestId of [plain, asked]) peer.say(chunk(requestId));
    expect(read).toEqual([{ ...chunk(plain), logprobs: undefined }, chunk(asked)]);
  });
});

it('a request counts in a worker’s queue from when it was sent until the worker has counted it, and is open until it is settled', () => {
  const { peer, status, worker } = open();
  const busy = () => [worker.selfReport.queue.running, worker.isSettled];
  peer.say(status(0));
  const [first, second] = [worker.begin(), worker.begin()];
  expect(busy()).toEqual([0, false]);
  first.sent(nextRequestId(), { logprobs: false });
  second.sent(nextRequestId(), { logprobs: false });
  expect(busy()).toEqual([2, false]);
  first.end();
  expect(busy()).toEqual([1, false]);
  peer.say(status(1));
  expect(busy()).toEqual([0, false]);
  second.end();
  second.end();
  expect(busy()).toEqual([0, true]);
});
