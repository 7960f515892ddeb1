import { expect, it } from 'vitest';
import { lengthText } from '../../../src-preload/contract/length-text.ts';

it('a length is told as on a clock, and in tenths where they matter', () => {
  const told = [0, 59_999, 1_122_000, 3_909_000].map((ms) => lengthText(ms));
  expect(told).toEqual(['0:00', '0:59', '18:42', '1:05:09']);
  expect(lengthText(62_550, { tenths: true })).toBe('1:02.5');
  expect(lengthText(3_909_000, { tenths: true })).toBe('1:05:09.0');
});
