import { expect, it } from 'vitest';
import { median } from '../../../src-main/base/median.ts';

it('the median is in the middle; of an even number it is the mean of the two there', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7]);
  expect([[3], [4, 1], [9, 1, 5], [1, 2, 3, 10]].map(median)).toEqual([3, 2.5, 5, 2.5]);
  expect(() => median([])).toThrow(RangeError);
});
