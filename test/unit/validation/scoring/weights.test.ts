import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareMeans,
  dominates,
  type Sample,
  thresholds,
} from '../../../../src-main/validation/scoring/comparison.ts';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import {
  growthOf,
  layerPoints,
  type MeansPreset,
  neededResults,
  PRESETS,
} from '../../../../src-main/validation/scoring/presets.ts';
import { type ScoringOptions, weigh } from '../../../../src-main/validation/scoring/weights.ts';

const of = (mean: number, count = 1_000): Sample => ({ count, mean, meanSquare: mean });
const BY_MEANS = PRESETS.filter((one): one is MeansPreset => one.compares === 'means');
const preset = (name: string) => BY_MEANS.find((one) => one.name === name)!;
const SEPTEMBER_3 = preset('2025-09-03');

describe('thresholds', () => {
  it.each([
    ['2025-09-03', of(0.5, 150), of(0.5, 150), 0.0485],
    ['2025-09-08', of(0.5, 150), of(0.5, 150), 0.0739],
    ['2025-09-03', of(0.9), of(0.8), 0.013282],
    ['2025-09-03', of(0.2), of(0.3), 0.016158],
    ['2025-09-09', of(0.5, 150), of(0.5, 150), 0.0739],
    ['2025-09-09', of(0.5, 1), of(0.5, 1), 0.005],
  ])('of %s, between %o and %o: not worse is %d', (name, a, b, notWorse) => {
    expect(thresholds(a, b, preset(name)).notWorse).toBeCloseTo(notWorse, 4);
  });

  it('of being better never ask for more than those of being worse', () => {
    const sample = fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100_000))
      .map(([mean, count]) => of(mean, count));
    fc.assert(
      fc.property(sample, sample, fc.constantFrom(...BY_MEANS), (a, b, named) => {
        const { notWorse, better } = thresholds(a, b, named);
        return better <= notWorse && better > 0 && notWorse >= named.epsNotWorse;
      }),
    );
  });
});

describe('eligibility', () => {
  it.each([
    ['2025-08-20', 1_000, 900],
    ['2025-09-03', 1_000, 160],
    ['2025-09-08', 1_000, 530],
    ['home', 40, 30],
  ])('of %s, where the most is %d, wants %d', (name, most, needed) => {
    expect(neededResults(preset(name).eligibility, most)).toBe(needed);
  });
});

describe('what is needed', () => {
  const usual = PRESETS[0].eligibility;

  it('rises with the miner that has the most, and no further than that is counted', () => {
    expect(growthOf(preset('2025-08-20').eligibility, 1_000)).toEqual({ share: 0.9, left: null });
    expect(growthOf(usual, 4_000)).toEqual({ share: 0.1, left: 100 });
  });

  it('stays where as many are needed whatever the others have', () => {
    expect(growthOf(usual, 1_000)).toBeUndefined();
    expect(growthOf(usual, 5_000)).toBeUndefined();
  });
});

describe('layers', () => {
  it.each([
    [1, [1]],
    [2, [1, 2]],
    [3, [1, 3, 9]],
    [4, [1, 4, 24, 96]],
    [5, [1, 5, 50, 500, 2_500]],
    [6, [1, 6, 90, 1_800, 27_000, 162_000]],
  ])('of %d environments grow as the documents say', (environments, points) => {
    expect(layerPoints(environments, 'growing')).toEqual(points);
  });

  it.each([
    [2, 'growing', 4],
    [3, 'growing', 21],
    [4, 'growing', 220],
    [5, 'growing', 5_555],
    [2, 'powers', 6],
    [3, 'powers', 23],
    [4, 'powers', 76],
    [5, 'powers', 237],
    [6, 'powers', 722],
  ] as const)('of %d environments, %s, give %d points to whoever wins all', async (environments, layers, all) => {
    const names = Array.from({ length: environments }, (_, at) => `e${at}`);
    const alone = { miner: 'a', since: 1, samples: new Map(names.map((name) => [name, of(0.5)])) };
    const { miners } = await weigh([alone], { environments: names, preset: SEPTEMBER_3, layers, burn: 0 });
    expect(miners[0]?.points.reduce((sum, points) => sum + points)).toBe(all);
  });
});

const contender = (miner: string, since: number, sat: Sample, hvm: Sample): Contender => ({
  ...{ miner, since },
  samples: new Map([
    ['sat', sat],
    ['hvm', hvm],
  ]),
});
const both: ScoringOptions = { environments: ['sat', 'hvm'], preset: SEPTEMBER_3, layers: 'growing', burn: 0 };
const A = contender('a', 100, of(0.9), of(0.2));
const B = contender('b', 200, of(0.8), of(0.3));
const C = contender('c', 300, of(0.9), of(0.2));
const weightsOf = async (contenders: Contender[], options: Partial<ScoringOptions> = {}) =>
  (await weigh(contenders, { ...both, ...options })).miners.map(({ weight }) => weight);

describe('weights', () => {
  it.each([
    ['growing', [0.75, 0.25, 0]],
    ['powers', [0.8333, 0.1667, 0]],
  ] as const)('of the worked example, %s', async (layers, weights) => {
    const { miners, winners } = await weigh([A, B, C], { ...both, layers });
    for (const [at, { weight }] of miners.entries()) expect(weight).toBeCloseTo(weights[at]!, 4);
    expect(winners.map(({ environments, miner }) => [environments.join(), miner])).toEqual([
      ['sat', 'a'],
      ['hvm', 'b'],
      ['sat,hvm', 'a'],
    ]);
  });

  it('do not depend on the order of the miners', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([A, B, C], { minLength: 3 }), async (order) => {
        const { miners } = await weigh(order, both);
        expect(Object.fromEntries(miners.map(({ miner, weight }) => [miner, weight]))).toEqual({
          a: 0.75,
          b: 0.25,
          c: 0,
        });
      }),
    );
  });

  it('are for those with enough results; what others lack is told', async () => {
    const few = contender('few', 1, of(1, 159), of(1, 1_000));
    const { miners } = await weigh([A, few], both);
    expect(miners).toMatchObject([
      { isEligible: true, missing: {}, weight: 1 },
      { isEligible: false, missing: { sat: 1 }, weight: 0, points: [0, 0] },
    ]);
  });

  it('are not for who names the model of another that committed first, and its results ask nothing of the others', async () => {
    const copy = { ...contender('copy', 1, of(1, 100_000), of(1, 100_000)), copyOf: 'a' };
    const { miners, winners } = await weigh([copy, A, B], both);
    expect(miners[0]).toMatchObject({ isEligible: false, copyOf: 'a', weight: 0, points: [0, 0] });
    expect(miners.slice(1)).toMatchObject([
      { isEligible: true, copyOf: null, missing: {}, weight: 0.75 },
      { isEligible: true, copyOf: null, missing: {}, weight: 0.25 },
    ]);
    expect(winners.every(({ miner, dominated }) => miner !== 'copy' && dominated <= 1)).toBe(true);
    const few = contender('few', 2, of(0.1, 10), of(0.1, 10));
    expect(await weightsOf([copy, few])).toEqual([0, 1]);
    expect(await weigh([copy], both)).toMatchObject({ miners: [{ weight: 0 }], winners: [] });
  });

  it('are all of the best one’s where nobody has enough', async () => {
    const few = [contender('x', 1, of(0.1, 10), of(0.1, 10)), contender('y', 2, of(0.9, 10), of(0.9, 10))];
    expect(await weightsOf(few)).toEqual([0, 1]);
    expect(await weigh([], both)).toEqual({ miners: [], growing: [], winners: [], burnt: 0 });
  });

  it('leave what is burnt', async () => {
    expect((await weightsOf([A, B, C], { burn: 0.4 })).map((weight) => weight.toFixed(4))).toEqual([
      '0.4500',
      '0.1500',
      '0.0000',
    ]);
    expect(await weightsOf([A, B, C], { burn: 7 })).toEqual([0, 0, 0]);
    expect((await weigh([A], { ...both, burn: -1 })).burnt).toBe(0);
  });

  it('and what is burnt are 1 together, whoever takes part', async () => {
    const sample = fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2_000))
      .map(([mean, count]) => of(mean, count));
    const some = fc.array(fc.tuple(fc.nat(5), sample, sample), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.constantFrom(...PRESETS.filter(({ compares }) => compares !== 'shares')),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (told, named, burn) => {
          const contenders = told.map(([since, sat, hvm], at) => contender(`m${at}`, since, sat, hvm));
          const { miners, burnt } = await weigh(contenders, { ...both, preset: named, burn });
          expect(miners.reduce((sum, { weight }) => sum + weight, burnt)).toBeCloseTo(1, 9);
          for (const { weight } of miners) expect(weight).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('are reckoned for 256 miners and five environments at once', async () => {
    const names = ['sat', 'abd', 'ded', 'elr', 'hvm'];
    const many = Array.from({ length: 256 }, (_, at) => ({
      miner: `m${at}`,
      since: at,
      samples: new Map(names.map((name, place) => [name, of(((at * 37 + place * 101) % 256) / 256, 800)])),
    }));
    const { miners, winners } = await weigh(many, { ...both, environments: names });
    expect([miners.length, winners.length]).toEqual([256, 31]);
    const thirteen = Array.from({ length: 13 }, (_, at) => `e${at}`);
    await expect(weigh(many, { ...both, environments: thirteen })).rejects.toThrow(
      /12 tasks at most, and there are 13/,
    );
  });

  it.each([PRESETS[0], SEPTEMBER_3])('are reckoned with turns for others in between, by $name', async (named) => {
    const names = Array.from({ length: 10 }, (_, at) => `e${at}`);
    const many = Array.from({ length: 256 }, (_, at) => ({
      miner: `m${at}`,
      since: at,
      samples: new Map(names.map((name, place) => [name, of(((at * 37 + place * 101) % 256) / 256, 800)])),
    }));
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await weigh(many, { ...both, preset: named, environments: names });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(2);
  });
});

it('nobody dominates itself, nor two each other', () => {
  const sample = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2_000))
    .map(([mean, count]) => of(mean, count));
  const pair = fc.tuple(sample, sample);
  fc.assert(
    fc.property(
      pair,
      pair,
      fc.constantFrom(...BY_MEANS),
      fc.constantFrom(1, 2, 3),
      fc.boolean(),
      (a, b, named, set, first) => {
        expect(dominates(compareMeans(a, a, named), false, set)).toBe(false);
        const there = dominates(compareMeans(a, b, named), first, set);
        const back = dominates(compareMeans(b, a, named), !first, set);
        return !(there && back);
      },
    ),
  );
});
