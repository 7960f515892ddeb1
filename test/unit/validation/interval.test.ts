import fc from 'fast-check';
import { expect, it } from 'vitest';
import { meanOfMeans, shareInterval } from '../../../src-main/validation/interval.ts';

// As statistics books have them, to four digits.
it.each([
  [0, 10, 0, 0.2775],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
  [1, 3, 0.0615, 0.7923],
  [500, 1_000, 0.4691, 0.5309],
])('%d of %d right is a share between %d and %d', (right, of, low, high) => {
  const interval = shareInterval(right, of);
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});

it('knows nothing of none, and holds the share otherwise', () => {
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
  const counts = fc
    .integer({ min: 1, max: 1e6 })
    .chain((of) => fc.tuple(fc.double({ min: 0, max: of, noNaN: true }), fc.constant(of)));
  fc.assert(
    fc.property(counts, ([right, of]) => {
      const { low, high } = shareInterval(right, of);
      return low >= 0 && high <= 1 && low <= right / of + 1e-9 && high >= right / of - 1e-9;
    }),
  );
});

it('of several means each counts the same, and together they are surer than alone', () => {
  const one = { mean: 0.6, low: 0.5, high: 0.7 };
  const both = meanOfMeans([one, { mean: 0.8, low: 0.7, high: 0.9 }]);
  expect(both.mean).toBeCloseTo(0.7, 10);
  expect(both.low).toBeCloseTo(0.7 - Math.SQRT2 / 20, 10);
  expect(both.high).toBeCloseTo(0.7 + Math.SQRT2 / 20, 10);
  expect(meanOfMeans([one])).toEqual({ mean: 0.6, low: expect.closeTo(0.5, 10), high: expect.closeTo(0.7, 10) });
  expect(meanOfMeans([])).toEqual({ mean: 0, low: 0, high: 1 });
});
