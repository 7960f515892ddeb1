import { expect, it } from 'vitest';
import { backOffMs } from '../../../src-main/base/back-off.ts';

it.each([
  [{ firstMs: 500, longestMs: 3_000 }, [0, 500, 1_000, 2_000, 3_000, 3_000]],
  [{ firstMs: 250, growth: 4 }, [0, 250, 1_000, 4_000, 16_000, 64_000]],
])('grows from the first wait to the longest: %j', (backOff, expected) => {
  expect([0, 1, 2, 3, 4, 5].map((failures) => backOffMs(failures, backOff))).toEqual(expected);
});

it('keeps to the longest wait after any number of failures', () => {
  expect(backOffMs(1e9, { firstMs: 1, longestMs: 60_000 })).toBe(60_000);
});
