import { expect, it, vi } from 'vitest';
import { Debts } from '../../../../src-main/mesh/asking/debts.ts';
import { KnownWorker } from '../../../../src-main/mesh/asking/worker-directory.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

function setUp() {
  const credits = new MemoryClientCredits(randomIdentity());
  const there = new Set(['friend']);
  const clock = { now: 0 };
  const isThere = (id: string) => there.has(id);
  const debts = new Debts({ credits, isThere, now: () => clock.now, log: testLog });
  const worker = new KnownWorker(new WirelessPeer('worker').peer);
  const say = (owed: number, gift: number, voices = ['0'.repeat(16)]) => {
    worker.terms = { v: 2, type: 'terms', owed, gift, salt: '0'.repeat(32), voices };
    debts.heard(worker);
  };
  return { credits, there, clock, debts, worker, say, means: (cost = 4) => debts.prospect(worker, cost).means };
}

it('a worker that has not said what it gives may give it; then its word counts', () => {
  const { means, say, credits } = setUp();
  expect(means()).toBe('gift');
  say(0, 3);
  expect(means()).toBe('none');
  say(0, 4);
  expect(means()).toBe('gift');
  credits.owed.set('worker', 4);
  expect([means(4), means(5)]).toEqual(['claim', 'none']);
});

it('only those who are there are asked to vouch, and the list is made anew only after a while', () => {
  const { means, say, credits, there, clock } = setUp();
  const looked = vi.spyOn(credits, 'waysTo');
  credits.ways.set('worker', ['friend', 'gone']);
  for (const friend of ['friend', 'gone']) credits.owed.set(friend, 3);
  say(0, 0);
  expect([means(3), means(4)]).toEqual(['vouchers', 'none']);
  there.add('gone');
  expect(means(6)).toBe('vouchers');
  expect(looked).toHaveBeenCalledOnce();
  clock.now = 20_001;
  means();
  expect(looked).toHaveBeenCalledTimes(2);
});

it('nobody is asked to vouch for a while where vouchers were brought and nothing was served, each time longer', () => {
  const { means, say, credits, clock, debts, worker } = setUp();
  credits.ways.set('worker', ['friend']);
  credits.owed.set('friend', 4);
  say(0, 0);
  expect(means()).toBe('vouchers');
  for (const [from, minutes] of [
    [0, 10],
    [3_600_000, 20],
    [7_200_000, 40],
  ] as const) {
    clock.now = from;
    debts.turnedDown(worker);
    expect(means()).toBe('none');
    clock.now = from + minutes * 60_000 - 1;
    expect(means()).toBe('none');
    clock.now++;
    expect(means()).toBe('vouchers');
  }
});

it('a worker is believed that it owes less, and never that it owes more', async () => {
  const { say, credits, debts } = setUp();
  credits.owed.set('worker', 5);
  say(9, 0);
  say(2, 0);
  await debts.close();
  expect(credits.owedBy('worker')).toBe(2);
});

it('nothing is concluded while a request is with the worker, nor twice at once', async () => {
  const { say, credits, debts, worker } = setUp();
  const written = vi.spyOn(credits, 'corrected');
  credits.owed.set('worker', 5);
  worker.open.add({});
  say(3, 0);
  await debts.close();
  expect(written).not.toHaveBeenCalled();
  worker.open.clear();
  for (const owed of [3, 2, 1]) say(owed, 0);
  await debts.close();
  expect(written).toHaveBeenCalledOnce();
});
