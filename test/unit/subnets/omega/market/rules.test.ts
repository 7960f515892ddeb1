import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf, dayPool, leftOf } from '../../../../../src-main/subnets/omega/market/rules/budget.ts';
import {
  afterFailure,
  againstLock,
  bannedFor,
  NEW_BUYER,
} from '../../../../../src-main/subnets/omega/market/rules/buyer.ts';
import { buildList, type Listable } from '../../../../../src-main/subnets/omega/market/rules/list.ts';
import { priceOf } from '../../../../../src-main/subnets/omega/market/rules/price.ts';
import { nextOf, offerMayBecome, onPaid } from '../../../../../src-main/subnets/omega/market/rules/states.ts';
import { OMEGA_TERMS as TERMS } from '../../../../../src-main/subnets/omega/market/rules/terms.ts';
import { OFFER_STATES, PURCHASE_STATES } from '../../../../../src-preload/contract/market-names.ts';

const TAO = 1_000_000_000n;

describe('a price', () => {
  const video = { kind: 'user', score: 0.5, durationMs: 600_000, wish: null } as const;

  it('is a share of what the day has for videos of its kind', () => {
    // 300 points beside 300 others, of .3 of a pool of .4 TAO.
    expect(priceOf(video, { pool: (TAO * 4n) / 10n, others: 300 }, TERMS)).toBe((TAO * 6n) / 100n);
    expect(priceOf({ ...video, kind: 'boosted' }, { pool: TAO / 10n, others: 300 }, TERMS)).toBe((TAO * 35n) / 1_000n);
  });

  it('is never less than a thousandth of a TAO, nor more than a tenth', () => {
    expect(priceOf(video, { pool: 1n, others: 0 }, TERMS)).toBe(TAO / 1_000n);
    expect(priceOf({ ...video, score: 0 }, { pool: 100n * TAO, others: 0 }, TERMS)).toBe(TAO / 1_000n);
    expect(priceOf(video, { pool: 10_000_000n * TAO, others: 0 }, TERMS)).toBe(TAO / 10n);
  });

  it('is no more than its seller wishes', () => {
    expect(priceOf({ ...video, wish: TAO / 50n }, { pool: TAO, others: 0 }, TERMS)).toBe(TAO / 50n);
    expect(priceOf({ ...video, wish: 5n * TAO }, { pool: TAO, others: 0 }, TERMS)).toBe(TAO / 10n);
    expect(priceOf({ ...video, wish: 0n }, { pool: TAO, others: 0 }, TERMS)).toBe(TAO / 1_000n);
  });

  it('keeps to its bounds whatever comes', () => {
    const others = fc.double({ min: 0, max: 1e12, noNaN: true });
    const some = { score: fc.double({ min: 0, max: 1, noNaN: true }), durationMs: fc.nat(5_400_000) };
    const wish = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
    const pool = fc.bigInt({ min: 0n, max: 21_000_000n * TAO });
    fc.assert(
      fc.property(fc.record({ ...some, wish }), pool, others, (one, rao, beside) => {
        const price = priceOf({ kind: 'user', ...one }, { pool: rao, others: beside }, TERMS);
        return price >= TERMS.price.least && price <= TERMS.price.most;
      }),
    );
  });
});

describe('a day', () => {
  it('has what miners get for videos, and nine tenths of it are spent', () => {
    // 1 TAO a block × 7,200 × .41 × .5
    expect(dayPool(TAO, 0.5)).toBe(1_476n * TAO);
    expect(budgetOf(100n * TAO, TERMS)).toBe(90n * TAO);
  });

  it('is over when what was spent and what is locked come to that', () => {
    expect(leftOf({ pool: 100n, spent: 50n, locked: 39n }, TERMS)).toBe(1n);
    expect(leftOf({ pool: 100n, spent: 50n, locked: 41n }, TERMS)).toBe(0n);
  });
});

describe('a buyer', () => {
  it('is banned for a day after five locks in a row without money, and begins anew', () => {
    let buyer = NEW_BUYER;
    for (let time = 1; time <= 4; time++) {
      buyer = afterFailure(buyer, time, TERMS);
      expect(buyer).toEqual({ failures: time, bannedUntil: null });
    }
    buyer = afterFailure(buyer, 1_000, TERMS);
    expect(buyer).toEqual({ failures: 0, bannedUntil: 1_000 + TERMS.banMs });
    expect([bannedFor(buyer, 1_000), bannedFor(buyer, 1_000 + TERMS.banMs)]).toEqual([TERMS.banMs, 0]);
  });

  it('has two locks at a time and fifty a day, paid or not, and does not take again at once what was let go', () => {
    const load = { locks: 0, over: 0, lastFailure: undefined };
    expect(againstLock(load, 0, TERMS)).toBeUndefined();
    expect(againstLock({ ...load, locks: 2 }, 0, TERMS)).toBe('locksAtOnce');
    expect(againstLock({ ...load, locks: 1, over: 49 }, 0, TERMS)).toBe('purchasesADay');
    expect(againstLock({ ...load, lastFailure: 10 }, 10 + TERMS.lockMs - 1, TERMS)).toBe('again');
    expect(againstLock({ ...load, lastFailure: 10 }, 10 + TERMS.lockMs, TERMS)).toBeUndefined();
  });
});

describe('the list', () => {
  const video = (id: string, changed: Partial<Listable> = {}): Listable => ({
    ...{ id, kind: 'marketplace', seller: 'somebody', price: TAO / 100n, listedAt: Number(id) },
    ...changed,
  });
  const many = (from: number, count: number, changed: Partial<Listable> = {}) =>
    Array.from({ length: count }, (_, index) => video(String(from + index), changed));
  const facts = { trusted: new Map<string, number | null>(), lastKinds: ['user'] as const };
  const shown = (videos: Listable[], more: Partial<Parameters<typeof buildList>[0]> = {}, random = () => 0) =>
    buildList({ ...facts, ...more, videos }, TERMS, random)
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b);

  it('has nine of the market’s own tasks: five of them the oldest, and the others by chance', () => {
    const seen = new Set<number>();
    for (let draw = 0; draw < 20; draw++) {
      const list = shown(many(1, 40), {}, () => draw / 20);
      expect(list).toHaveLength(9);
      expect(list.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
      for (const id of list) seen.add(id);
    }
    expect(seen.has(40)).toBe(true);
  });

  it('has one of each seller before a second one', () => {
    const junk = many(1, 30, { kind: 'user', seller: 'junk' });
    const honest = ['a', 'b', 'c'].map((seller, at) => video(String(100 + at), { kind: 'user', seller }));
    expect(shown([...junk, ...honest])).toEqual(expect.arrayContaining([1, 100, 101, 102]));
  });

  it('leaves out those at the least price', () => {
    expect(shown([video('1', { price: TERMS.leastShown }), video('2')])).toEqual([2]);
  });

  it('has two of the trusted seller who waits longest, before older ones', () => {
    const trusted = new Map<string, number | null>([
      ['a', 500],
      ['b', 400],
    ]);
    const videos = [...many(1, 12), ...many(50, 3, { seller: 'a' }), ...many(60, 3, { seller: 'b' })];
    expect(shown(videos, { trusted })).toEqual(expect.arrayContaining([60, 61]));
    expect(shown(videos, { trusted: trusted.set('a', null) })).toEqual(expect.arrayContaining([50, 51]));
    expect(shown(videos, { trusted })).toHaveLength(9);
  });

  it('has seven others where the market has few of its own, one where nobody bought another lately, else none', () => {
    const others = many(100, 9, { kind: 'user' });
    const beside = shown([...many(1, 2), ...others]);
    expect([beside.slice(0, 6), beside.length]).toEqual([[1, 2, 100, 101, 102, 103], 9]);
    expect(shown([...many(1, 3), ...others])).toEqual([1, 2, 3]);
    const lastKinds = ['marketplace', 'marketplace', 'marketplace', 'marketplace', 'user'] as const;
    expect(shown([...many(1, 3), ...others], { lastKinds })).toEqual([1, 2, 3, 100]);
  });

  it('is mixed by chance, and the same chance mixes it the same', () => {
    const draws = [0.9, 0.1, 0.5, 0.3, 0.7, 0.2];
    const mixed = () => {
      let at = 0;
      return buildList({ ...facts, videos: many(1, 6) }, TERMS, () => draws[at++ % draws.length] as number).map(
        ({ id }) => id,
      );
    };
    expect(mixed()).toEqual(mixed());
    expect(mixed()).not.toEqual(['1', '2', '3', '4', '5', '6']);
    expect(mixed().sort()).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});

describe('states', () => {
  it('end where something is sold or withdrawn', () => {
    const ends = OFFER_STATES.filter((from) => OFFER_STATES.every((to) => !offerMayBecome(from, to)));
    expect(ends).toEqual(['purchased', 'withdrawn']);
  });

  it('a lock is not withdrawn, and what was sold is never for sale again', () => {
    expect(offerMayBecome('purchasePending', 'withdrawn')).toBe(false);
    expect(offerMayBecome('purchased', 'submitted')).toBe(false);
  });

  it('money counts whenever it is told: late, where the video is free; else it is owed back', () => {
    expect(onPaid('pending', false)).toBe('paid');
    expect(onPaid('expired', true)).toBe('paid');
    expect(onPaid('reverted', false)).toBe('owed');
    const found = (free: boolean) => PURCHASE_STATES.map((state) => onPaid(state, free)).join(' ');
    expect(found(true)).toBe('paid paid paid paid owed settled');
    expect(found(false)).toBe('paid paid owed owed owed settled');
  });

  it('who has no video yet is told to verify', () => {
    expect(PURCHASE_STATES.map(nextOf)).toEqual(['verify', 'fetch', 'verify', 'verify', 'wait', 'nothing']);
  });
});
