import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inferenceMessageSchema } from '../../../../src-main/mesh/inference/messages.ts';
import { TermsSender } from '../../../../src-main/mesh/serving/terms-sender.ts';
import { MemoryWorkerCredits } from '../../../support/memory-credits.ts';
import { randomIdentity } from '../../../support/mesh-node.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

function setUp() {
  const credits = new MemoryWorkerCredits(randomIdentity());
  const sender = new TermsSender({ credits, now: Date.now });
  const client = new WirelessPeer(randomIdentity().id, ['client']);
  const owed = () => client.sent.map((message) => message.type === 'terms' && message.owed);
  return { credits, sender, client, owed };
}

it('a client hears its terms when it comes, and when they change, but no more than once a second', () => {
  const { credits, sender, client, owed } = setUp();
  sender.met(client.peer);
  expect(owed()).toEqual([0]);
  for (const now of [1, 2, 3]) {
    credits.told.set(client.peer.id, { owed: now });
    sender.touch(client.peer);
  }
  vi.advanceTimersByTime(999);
  expect(owed()).toEqual([0]);
  vi.advanceTimersByTime(1);
  expect(owed()).toEqual([0, 3]);
  vi.advanceTimersByTime(60_000);
  expect(owed()).toEqual([0, 3]);
  sender.touch(client.peer);
  expect(owed()).toEqual([0, 3, 3]);
});

it('a client hears them again every minute: others may vouch for it by then, and more may be given', () => {
  const { sender, client, owed } = setUp();
  sender.open();
  sender.met(client.peer);
  vi.advanceTimersByTime(180_000);
  expect(owed()).toEqual([0, 0, 0, 0]);
  sender.close();
  expect(vi.getTimerCount()).toBe(0);
});

it('who only serves hears none, nor who has left, and nothing is left behind', () => {
  const { sender, client, owed } = setUp();
  const worker = new WirelessPeer(randomIdentity().id, ['worker']);
  for (const { peer } of [worker, client]) sender.met(peer);
  sender.touch(client.peer);
  sender.left(client.peer);
  sender.touch(client.peer);
  expect(vi.getTimerCount()).toBe(0);
  sender.met(client.peer);
  sender.touch(client.peer);
  sender.close();
  vi.advanceTimersByTime(60_000);
  expect([worker.sent, owed()]).toEqual([[], [0, 0]]);
  expect(vi.getTimerCount()).toBe(0);
});

it('they are what a message may say, whatever the books know', () => {
  const { credits, sender, client } = setUp();
  const voices = Array.from({ length: 300 }, (_, index) => index.toString(16).padStart(16, '0'));
  credits.told.set(client.peer.id, { owed: 1e12 + 0.5, gift: Number.POSITIVE_INFINITY, voices });
  sender.met(client.peer);
  expect(client.sent.map((message) => inferenceMessageSchema.safeParse(message).success)).toEqual([true]);
});
