import { describe, expect, it } from 'vitest';
import { type DayFigures, NOTHING } from '../../../../src-main/credits/earning/day-figures.ts';
import { type EarningRate, earningRate } from '../../../../src-main/credits/earning/rate.ts';
import {
  type DayReview,
  durationWords,
  type LostTime,
  shortfalls,
} from '../../../../src-main/credits/earning/shortfalls.ts';
import { policySchema } from '../../../../src-main/hardware/policy-settings.ts';
import { limitSettings } from '../../../../src-main/mesh/serving/limit-settings.ts';
import { GAP_KINDS, POLICY_RULES } from '../../../../src-preload/contract/activity.ts';
import { PAGES } from '../../../../src-preload/contract/domains.ts';
import { shortfallSchema } from '../../../../src-preload/contract/earning.ts';
import type { PageEntry } from '../../../../src-preload/contract/pages.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RATE: EarningRate = {
  pointsPerHour: 30,
  pointsPerAnswer: 6,
  hoursPerDay: 8,
  answersPerDay: 40,
  answers: 280,
};

const review = (over: Partial<DayReview>): DayReview => {
  const nothing = { day: NOTHING, waiting: { answers: 0, points: 0 }, lost: [], busy: 0 };
  return { ...nothing, rate: RATE, throttledShare: 0.5, ...over };
};
const day = (over: Partial<DayFigures>): DayFigures => ({ ...NOTHING, ...over });
const lost = (kind: LostTime['kind'], ms: number, rule: LostTime['rule'] = null): LostTime => ({ kind, rule, ms });

describe('what kept a node from earning more', () => {
  it('is nothing on a good day', () => {
    expect(shortfalls(review({}))).toEqual([]);
    expect(shortfalls(review({ day: day({ answers: 9, points: 90 }), lost: [lost('alone', 40_000)] }))).toEqual([]);
  });

  it('is ordered by points, with what waits among them', () => {
    const found = shortfalls(
      review({
        day: day({ answers: 23, points: 130, late: 9, processingMs: 100_000, inHalfTheTime: 21 }),
        waiting: { answers: 8, points: 52 },
        lost: [lost('paused', 110 * MINUTE, 'user')],
      }),
    );
    expect(found.map(({ kind, points, count, ms }) => [kind, points, count, ms])).toEqual([
      ['paused', 55, undefined, 110 * MINUTE],
      ['unsigned', 52, 8, undefined],
      ['slow', 21, 9, undefined],
    ]);
    expect(found[0]).toMatchObject({
      rule: 'user',
      text: 'Paused for 1 h 50 min: computer in use',
      why: 'Your rule pauses mining meanwhile.',
      fix: { path: '/settings/policy', setting: 'policy.userActive' },
    });
    expect(found[2]?.text).toBe('9 of 23 answers took 5 seconds or longer');
  });

  it('is time at what an hour has brought, half of it where it was slowed', () => {
    const found = shortfalls(review({ lost: [lost('throttled', 2 * HOUR, 'battery'), lost('stopped', 30 * MINUTE)] }));
    expect(found.map(({ kind, points }) => [kind, points])).toEqual([
      ['throttled', 30],
      ['stopped', 15],
    ]);
  });

  it('is time in which other programs had the computer, with the rule that leaves it to them', () => {
    const found = shortfalls(review({ lost: [lost('refusing', 20 * MINUTE)] }));
    expect(found).toMatchObject([
      {
        kind: 'refusing',
        points: 10,
        text: 'Not accepting for 20 min: other programs needed the processor or the memory',
        fix: { path: '/settings/policy', setting: 'limits.refuseWhenOverloaded' },
      },
    ]);
    expect(found[0]).not.toHaveProperty('ownChoice', expect.anything());
  });

  it('is last of all what its owner chose: mining stopped, the computer off', () => {
    const times = [lost('off', 9 * HOUR), lost('alone', 3 * MINUTE), lost('stopped', 2 * HOUR)];
    const found = shortfalls(review({ lost: times, busy: 1 }));
    expect(found.map(({ kind, ownChoice }) => [kind, ownChoice])).toEqual([
      ['alone', undefined],
      ['busy', undefined],
      ['off', true],
      ['stopped', true],
    ]);
  });

  it('is time alone with too few data, and says so', () => {
    const [found] = shortfalls(review({ rate: undefined, lost: [lost('off', 3 * HOUR)] }));
    expect(found).toMatchObject({ kind: 'off', ms: 3 * HOUR, text: 'Quarry did not run for 3 h 0 min' });
    expect(found).not.toHaveProperty('points', expect.anything());
    expect(found?.why).toContain('is not known yet');
    expect(shortfalls(review({ rate: undefined, busy: 4 }))).toMatchObject([{ kind: 'busy', count: 4 }]);
  });

  it('tells of answers that were quick enough for some points what they take on average', () => {
    const quick = day({ answers: 4, points: 30, processingMs: 6_000, inHalfTheTime: 4 });
    expect(shortfalls(review({ day: quick }))).toMatchObject([
      { kind: 'slow', points: 4, count: 4, text: 'Answers took 1.5 seconds on average' },
    ]);
  });

  it('counts refusals at what an answer brings, but not beyond what today has brought', () => {
    const busy = (count: number) => shortfalls(review({ busy: count, day: day({ answers: 20, points: 100 }) }))[0];
    expect(busy(5)).toMatchObject({ kind: 'busy', count: 5, points: 30 });
    expect(busy(500)).toMatchObject({ points: 100 });
  });

  it('tells of failures what they took, and of what did not count what it would have', () => {
    const bad = day({ failures: { count: 3, points: 2 }, uncounted: { answers: 4, points: 31 } });
    expect(shortfalls(review({ day: bad }))).toMatchObject([
      { kind: 'pair-cap', count: 4, points: 31 },
      { kind: 'penalties', count: 3, points: 2, fix: { path: '/settings/logs' } },
    ]);
    expect(shortfalls(review({ day: bad }))[0]).not.toHaveProperty('fix', expect.anything());
  });

  it('names no more than five', () => {
    const times = GAP_KINDS.map((kind, index) => lost(kind, (index + 1) * HOUR));
    expect(shortfalls(review({ lost: times, busy: 3, waiting: { answers: 1, points: 500 } }))).toHaveLength(5);
  });

  it('leads to pages and settings that there are', () => {
    const all = [
      ...GAP_KINDS.map((kind) => review({ lost: [lost(kind, HOUR)] })),
      ...POLICY_RULES.map((rule) => review({ lost: [lost('paused', HOUR, rule)] })),
      review({ busy: 1, day: day({ points: 9 }) }),
      review({ waiting: { answers: 1, points: 1 } }),
      review({ day: day({ answers: 1, inHalfTheTime: 1, failures: { count: 1, points: 1 } }) }),
    ].flatMap((one) => shortfalls(one));
    const paths = PAGES.flatMap(({ path, places = [] }: PageEntry) => [
      path,
      ...places.map((place) => `${path}/${place}`),
    ]);
    const inPolicy = Object.keys(policySchema.shape).map((name) => `policy.${name}`);
    const settings = [...inPolicy, ...Object.keys(limitSettings.shape.limits.shape).map((name) => `limits.${name}`)];
    for (const found of all) {
      shortfallSchema.parse(found);
      expect(paths).toContain(found.fix?.path);
      if (found.fix?.setting) expect(settings).toContain(found.fix.setting);
      expect(found.text + found.why).not.toMatch(/earning\.|\{/);
    }
    expect(all.length).toBeGreaterThan(12);
  });
});

describe('a duration', () => {
  it.each([
    [MINUTE, '1 min'],
    [59 * MINUTE, '59 min'],
    [HOUR, '1 h 0 min'],
    [110 * MINUTE, '1 h 50 min'],
  ])('of %i ms is %s', (ms, words) => {
    expect(sentence(durationWords(ms))).toBe(words);
  });
});

describe('what an hour brings', () => {
  const sums = (hours: number, answers: number, points: number) => ({ serving_ms: hours * HOUR, answers, points });

  it('is points by hours of serving, and a day what the days had', () => {
    expect(earningRate([sums(10, 40, 200), sums(30, 100, 700)], 4 * 24 * HOUR)).toEqual({
      pointsPerHour: 22.5,
      pointsPerAnswer: 900 / 140,
      hoursPerDay: 10,
      answersPerDay: 35,
      answers: 140,
    });
  });

  it('takes less than a day for one', () => {
    expect(earningRate([sums(2, 12, 60)], 3 * HOUR)).toMatchObject({ hoursPerDay: 2, answersPerDay: 12 });
  });

  it.each([
    ['no data', []],
    ['too few answers', [sums(20, 9, 60)]],
    ['too little time', [sums(0.9, 30, 200)]],
  ])('is not known with %s', (_, some) => {
    expect(earningRate(some, 24 * HOUR)).toBeUndefined();
  });
});
