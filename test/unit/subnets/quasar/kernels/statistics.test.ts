import { expect, it } from 'vitest';
import { medianRatio } from '../../../../../src-main/subnets/quasar/kernels/statistics.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

it('the interval of the sign test is that of the books: of 100 numbers, the 41st to the 60th', () => {
  const numbers = Array.from({ length: 100 }, (_, at) => at + 1).reverse();
  expect(medianRatio(numbers)).toEqual({ median: 50.5, low: 41, high: 60, pairs: 100 });
});

it('the true median is in the interval in 95 of 100 cases, and some that are far off change little', () => {
  const random = new SeededRandom('intervals');
  const draw = () => (random.below(10) === 0 ? 50 : 0.5 + random.below(1_000_001) / 1_000_000);
  // A tenth is far above: the true median is that of all, five ninths of the way up the others.
  const truth = 0.5 + 5 / 9;
  const hits = Array.from({ length: 1_000 }, () => medianRatio(Array.from({ length: 200 }, draw)));
  const share = hits.filter(({ low, high }) => low <= truth && truth <= high).length / hits.length;
  expect(share).toBeGreaterThan(0.93);
  expect(share).toBeLessThan(0.98);
});
