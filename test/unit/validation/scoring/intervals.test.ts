import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRanges, dominates, rangeOf, type Sample } from '../../../../src-main/validation/scoring/comparison.ts';
import { explain } from '../../../../src-main/validation/scoring/explain.ts';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import { layerPoints, neededResults, PRESETS } from '../../../../src-main/validation/scoring/presets.ts';
import { weigh } from '../../../../src-main/validation/scoring/weights.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const [NOVEMBER] = PRESETS;
const of = (count: number, mean: number): Sample => ({ count, mean, meanSquare: mean });

describe('the range of a mean', () => {
  it.each([
    [200, 0.5, 0.4548394628760848, 0.5451605371239152],
    [1_000, 0.9, 0.8872706349313687, 0.9115878070275274],
    [200, 0, 3.9426842524268917e-5, 0.00673263790543621],
    [200, 1, 0.9932673620945638, 0.9999605731574758],
    [5_000, 0.123, 0.11715526691281063, 0.12906007434598266],
    [0, 0, 0, 0],
  ])('of %d results at %d is as the original reckons it', (count, mean, low, high) => {
    const range = rangeOf(of(count, mean), NOVEMBER);
    expect(range.low).toBeCloseTo(low, 9);
    expect(range.high).toBeCloseTo(high, 9);
  });
});

describe('of two', () => {
  const wins = (a: Sample, b: Sample, ahead: number) => {
    const { notWorse, better } = compareRanges([rangeOf(a, NOVEMBER)], [rangeOf(b, NOVEMBER)], {
      ahead,
      least: NOVEMBER.least,
    });
    return better ? 'a' : notWorse ? 'nobody' : 'b';
  };

  it.each([
    ['the earlier one, if the other is not better for certain', of(400, 0.5), of(400, 0.53), 1, 'a'],
    ['the earlier one, although it may be worse', of(400, 0.5), of(400, 0.55), 1, 'a'],
    ['the later one that is', of(400, 0.5), of(400, 0.58), 1, 'b'],
    ['the same, asked the other way round', of(400, 0.58), of(400, 0.5), -1, 'a'],
    ['the copy never', of(400, 0.9), of(5_000, 0.9), 1, 'a'],
    ['who has enough results', of(199, 1), of(200, 0), 1, 'b'],
    ['nobody, where both have too few', of(199, 1), of(10, 0), 1, 'nobody'],
    ['nobody, where they came at once and may be as good', of(400, 0.5), of(400, 0.53), 0, 'nobody'],
    ['the better one, where they came at once', of(400, 0.5), of(400, 0.6), 0, 'b'],
  ] as const)('wins %s', (_, a, b, ahead, winner) => {
    expect(wins(a, b, ahead)).toBe(winner);
  });

  it('they never dominate each other, nor one itself', () => {
    const sample = fc
      .tuple(fc.nat(2_000), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([count, mean]) => rangeOf(of(count, mean), NOVEMBER));
    const pair = fc.tuple(sample, sample);
    fc.assert(
      fc.property(pair, pair, fc.constantFrom(1, 2, 3), fc.integer({ min: -1, max: 1 }), (a, b, set, ahead) => {
        const { least } = NOVEMBER;
        expect(dominates(compareRanges(a, a, { ahead: 0, least }), false, set)).toBe(false);
        const there = dominates(compareRanges(a, b, { ahead, least }), ahead > 0, set);
        const back = dominates(compareRanges(b, a, { ahead: -ahead, least }), ahead < 0, set);
        return !(there && back);
      }),
    );
  });
});

describe('eligibility', () => {
  it.each([
    [100, 200],
    [1_900, 200],
    [3_000, 310],
    [5_000, 510],
    [90_000, 510],
  ])('where the most is %d, wants %d', (most, needed) => {
    expect(neededResults(NOVEMBER.eligibility, most)).toBe(needed);
  });
});

describe('layers', () => {
  it.each([
    [1, [2]],
    [3, [2 / 3, 4 / 3, 8]],
    [5, [0.4, 0.4, 0.8, 3.2, 32]],
    [7, [0, 4 / 21, 8 / 35, 16 / 35, 32 / 21, 64 / 7, 128]],
  ])('of %d environments are split among their sets, but for those below the sixth', (environments, points) => {
    const split = layerPoints(environments, 'split');
    for (const [at, one] of split.entries()) expect(one).toBeCloseTo(points[at]!, 12);
  });
});

type Row = [since: number, abd: [number, number], ded: [number, number], sat: [number, number]];
/** Miners of all kinds; what they come to is what the original’s own program said of them. */
const MINERS: Record<string, Row> = {
  a: [100, [400, 0.6], [400, 0.5], [400, 0.9]],
  b: [200, [400, 0.7], [400, 0.5], [400, 0.8]],
  c: [300, [400, 0.6], [400, 0.5], [400, 0.9]],
  d: [400, [1_000, 0.64], [1_000, 0.6], [1_000, 0.905]],
};

function contender(miner: string): Contender {
  const [since, abd, ded, sat] = MINERS[miner]!;
  return { miner, since, samples: new Map(Object.entries({ abd: of(...abd), ded: of(...ded), sat: of(...sat) })) };
}

describe('weights', () => {
  const environments = ['abd', 'ded', 'sat'];
  const options = { environments, preset: NOVEMBER, burn: 0 };

  it.each([
    ['a b c d', { a: 0.191197, b: 0.288626, c: 0, d: 0.520178 }],
    ['a b c', { a: 0.437439, b: 0.562561, c: 0 }],
  ])('of %s are as the original’s program has them', async (names, weights) => {
    const { miners } = await weigh(names.split(' ').map(contender), options);
    for (const { miner, weight } of miners) expect(weight).toBeCloseTo(weights[miner as 'a'], 6);
  });

  it('of a set that some share are split by their means and ranks', async () => {
    const { miners, winners } = await weigh(['a', 'b', 'c', 'd'].map(contender), options);
    const pointsOf = (miner: string) => miners.find((one) => one.miner === miner)?.points.map((one) => one.toFixed(6));
    expect(pointsOf('d')).toEqual(['0.666667', '1.750279', '4.865539']);
    expect(pointsOf('a')).toEqual(['0.666667', '0.982089', '1.028001']);
    const shares = Map.groupBy(winners, ({ environments: set }) => set.join());
    for (const set of shares.values()) expect(set.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('are all of the best one’s where nobody has enough results, and whose that are is not chance', async () => {
    const few = (miner: string, since: number, mean: number): Contender => ({
      ...{ miner, since },
      samples: new Map(environments.map((name) => [name, of(50, mean)])),
    });
    const { miners } = await weigh([few('x', 1, 0.2), few('y', 2, 0.8), few('z', 3, 0.8)], options);
    expect(miners.map(({ weight }) => weight)).toEqual([0, 1, 0]);
  });

  it('are equal where nobody gets anything right', async () => {
    const none = (miner: string): Contender => ({
      ...{ miner, since: 1 },
      samples: new Map(environments.map((name) => [name, of(500, 0)])),
    });
    const { miners } = await weigh([none('x'), none('y')], options);
    expect(miners.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  });

  it('are explained: what is won alone, and what is shared', async () => {
    const scoring = await weigh(['a', 'b', 'c', 'd'].map(contender), options);
    const why = explain(scoring.miners.find(({ miner }) => miner === 'd')!, scoring).map(sentence);
    expect(why[0]).toBe('In ABD, DED, SAT nobody dominates it: of what all such share, it has 60.8 %.');
    expect(why).toContain('It wins DED: there it dominates 3 of 3 others.');
  });

  it('stay with the original, however many copies of it there are', async () => {
    const random = new SeededRandom('copies');
    const skills = [0.3, 0.5, 0.7];
    const sample = (skill: number) => {
      const right = Array.from({ length: 500 }, () => (random.below(10) < 10 * skill ? 1 : 0));
      return of(right.length, right.reduce<number>((sum, one) => sum + one, 0) / right.length);
    };
    const copies = (count: number) =>
      Array.from({ length: count + 1 }, (_, at) => ({
        ...{ miner: `${at}`, since: at },
        samples: new Map(environments.map((name, set) => [name, sample(skills[set] ?? 0)])),
      }));
    const scorings = await Promise.all(Array.from({ length: 20 }, () => weigh(copies(20), options)));
    const kept = scorings.map(({ miners }) => miners[0]?.weight ?? 0);
    expect(kept.reduce((sum, one) => sum + one, 0) / kept.length).toBeGreaterThan(0.75);
  });
});
