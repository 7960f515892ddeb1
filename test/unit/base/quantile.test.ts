import { expect, it } from 'vitest';
import { quantile } from '../../../src-main/base/quantile.ts';

it('takes the value that so large a share lies below', () => {
  const sorted = Float32Array.from({ length: 100 }, (_, at) => at);
  expect([0, 0.01, 0.5, 0.99, 1].map((share) => quantile(sorted, share))).toEqual([0, 1, 50, 99, 99]);
  expect([quantile([7], 0.5), quantile([], 0.5)]).toEqual([7, Number.NaN]);
});
