import { expect, it } from 'vitest';
import { meanInterval, meanOfMeans, shareInterval } from '../../../src-main/validation/interval.ts';
import { compareMeans, counted, rangeOf, thresholds } from '../../../src-main/validation/scoring/comparison.ts';
import { PRESETS } from '../../../src-main/validation/scoring/presets.ts';

/* Whoever is shown to lie has less than nothing (OMEGA, B2): every figure that is made of scores bears that. */

const liar = { count: 40, mean: -1.2, meanSquare: 7.5, zeros: 0, negatives: 12 };
const honest = { count: 40, mean: 0.3, meanSquare: 0.1, zeros: 0, negatives: 0 };

it('a mean below nothing has an interval around it, and none of its figures is no number', () => {
  const { low, high } = meanInterval(liar);
  expect(low).toBeLessThan(-1.2);
  expect(high).toBeGreaterThan(-1.2);
  expect(meanInterval(honest)).toEqual(shareInterval(12, 40));
  const overall = meanOfMeans([
    { mean: -1.2, low, high },
    { mean: 0.3, ...meanInterval(honest) },
  ]);
  expect(overall.low).toBeLessThanOrEqual(overall.mean);
  expect(overall.high).toBeGreaterThanOrEqual(overall.mean);
  expect(shareInterval(-5, 10)).toEqual(shareInterval(0, 10));
});

it.each(PRESETS.map((preset) => [preset.name, preset] as const))('whoever lies is beaten with %s', (_, preset) => {
  if (preset.compares === 'means') {
    for (const each of Object.values(thresholds(liar, honest, preset))) expect(each).toBeGreaterThan(0);
    expect(compareMeans([honest], [liar], preset)).toMatchObject({ better: 1 });
    expect(compareMeans([liar], [honest], preset)).toMatchObject({ notWorse: 0, better: 0 });
  }
  if (preset.compares === 'intervals') expect(rangeOf(liar, preset)).toEqual(rangeOf({ ...liar, mean: 0 }, preset));
  if (preset.compares === 'speeds') expect(counted(liar, preset).mean).toBe(0);
});
