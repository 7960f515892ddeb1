import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Voucher } from '../../../../src-main/credits/voucher.ts';
import { KnownWorker } from '../../../../src-main/mesh/asking/known-worker.ts';
import { sharesOf } from '../../../../src-main/mesh/asking/means.ts';
import { OwnClaims } from '../../../../src-main/mesh/asking/own-claims.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessPeer } from '../../../support/wireless-peer.ts';

function setUp() {
  const credits = new MemoryClientCredits(randomIdentity());
  const there = new Set(['friend']);
  const clock = { now: 0 };
  const claims = new OwnClaims({ credits, there: () => there, now: () => clock.now, log: testLog });
  const worker = new KnownWorker(new WirelessPeer('worker').peer);
  const say = (owed: number, gift: number, voices = ['0'.repeat(16)]) => {
    worker.terms = { v: 2, type: 'terms', owed, gift, salt: '0'.repeat(32), voices };
    claims.heard(worker);
  };
  return { credits, there, clock, claims, worker, say, means: (cost = 4) => claims.prospect(worker, cost).means };
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

it('only those who are there are asked to vouch', () => {
  const { means, say, credits, there } = setUp();
  credits.ways.set('worker', ['friend', 'gone']);
  for (const friend of ['friend', 'gone']) credits.owed.set(friend, 3);
  say(0, 0);
  expect([means(3), means(4)]).toEqual(['vouchers', 'none']);
  there.add('gone');
  expect(means(6)).toBe('vouchers');
});

describe('of those who may vouch', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  function crowd() {
    const all = setUp();
    const { credits, there, worker, say, claims } = all;
    credits.ways.set('worker', names);
    for (const [index, name] of names.entries()) {
      credits.owed.set(name, 10 - index);
      there.add(name);
    }
    say(0, 0);
    const voucher = (by: string) => ({ body: { by } }) as Voucher;
    const brought = (by: string, served: boolean) => claims.brought('worker', [voucher(by)], served);
    return { ...all, brought, ways: () => claims.waysTo(worker).map(({ id }) => id) };
  }

  it('those who are away do not stand in the way of the greatest three that are there', () => {
    const { ways, there } = crowd();
    expect(ways()).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) there.delete(name);
    expect(ways()).toEqual(['d', 'e']);
  });

  it('who was asked and did not is left alone, each time longer, and comes last until it vouches', () => {
    const { ways, clock, claims } = crowd();
    for (const [from, minutes] of [
      [0, 1],
      [3_600_000, 2],
      [7_200_000, 4],
    ] as const) {
      clock.now = from;
      for (let times = 0; times < 3; times++) claims.asked('a', false); // three requests that waited for it at once
      for (const name of ['c', 'd', 'e']) claims.asked(name, false);
      clock.now = from + minutes * 60_000 - 1;
      expect(ways()).toEqual(['b']);
      clock.now++;
      expect(ways()).toEqual(['b', 'a', 'c']);
    }
    claims.asked('a', true);
    expect(ways()).toEqual(['a', 'b', 'c']);
  });

  it('who signed what a worker did not serve for is not asked for more there, each time longer, until it has', () => {
    const { ways, clock, brought } = crowd();
    for (const [from, minutes] of [
      [0, 10],
      [3_600_000, 20],
      [7_200_000, 40],
    ] as const) {
      clock.now = from;
      for (let times = 0; times < 3; times++) brought('a', false);
      expect(ways()).toEqual(['b', 'c', 'd']);
      clock.now = from + minutes * 60_000 - 1;
      expect(ways()).toEqual(['b', 'c', 'd']);
      clock.now++;
      for (const name of ['b', 'c', 'd']) brought(name, true);
      expect(ways()).toEqual(['b', 'c', 'd']); // others who never failed there come first
    }
    brought('a', true);
    expect(ways()).toEqual(['a', 'b', 'c']);
  });

  it('nobody else is blamed for that, there or elsewhere', () => {
    const { ways, credits, claims, brought, worker } = crowd();
    const other = new KnownWorker(new WirelessPeer('other').peer);
    other.terms = worker.terms;
    credits.ways.set('other', names);
    brought('a', false);
    expect(ways()).toEqual(['b', 'c', 'd']);
    expect(claims.waysTo(other).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('hostile ones cost a request each, and no more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('silent', 'refuses', 'signs what nothing covers'), { maxLength: 8 }),
        fc.array(fc.nat(7_200_000), { minLength: 30, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        (hostile, pauses, cost) => {
          const { credits, there, say, claims, clock, worker } = setUp();
          const all = [...hostile.map((_, index) => `hostile ${index}`), 'honest'];
          credits.ways.set('worker', all);
          for (const id of all) {
            credits.owed.set(id, id === 'honest' ? 4 : 1_000);
            there.add(id);
          }
          say(0, 0);
          let unserved = 0;
          for (const pause of pauses) {
            clock.now += pause;
            const [share] = sharesOf(cost, claims.waysTo(worker));
            const by = share?.by;
            const signs = by === 'honest' || hostile[Number(by?.split(' ')[1])] === 'signs what nothing covers';
            if (by) claims.asked(by, signs);
            if (by && signs) claims.brought('worker', [{ body: { by } } as Voucher], by === 'honest');
            if (by !== 'honest') unserved++;
          }
          expect(unserved).toBeLessThanOrEqual(hostile.length);
        },
      ),
    );
  });
});

it('a worker is believed that it owes less, and never that it owes more', async () => {
  const { say, credits, claims } = setUp();
  credits.owed.set('worker', 5);
  say(9, 0);
  say(2, 0);
  await claims.close();
  expect(credits.owedBy('worker')).toBe(2);
});

it('nothing is concluded while a request is with the worker, nor twice at once', async () => {
  const { say, credits, claims, worker } = setUp();
  const written = vi.spyOn(credits, 'corrected');
  credits.owed.set('worker', 5);
  const asking = worker.begin();
  say(3, 0);
  await claims.close();
  expect(written).not.toHaveBeenCalled();
  asking.end();
  for (const owed of [3, 2, 1]) say(owed, 0);
  await claims.close();
  expect(written).toHaveBeenCalledOnce();
});
