import { expect, it } from 'vitest';
import { commonPrefix } from '../../../src-main/base/common-prefix.ts';

it('counts equal elements from the beginning', () => {
  expect(commonPrefix([1, 2, 3], [1, 2, 4])).toBe(2);
  expect(commonPrefix([1, 2], [1, 2, 4])).toBe(2);
  expect(commonPrefix([], [1])).toBe(0);
});
