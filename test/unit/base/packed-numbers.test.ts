import { expect, it } from 'vitest';
import { packed, unpacked } from '../../../src-main/base/packed-numbers.ts';

it('numbers are the same after their way as a text, wherever in memory they were', () => {
  const numbers = Float32Array.of(0, -1.5, 3e38, Number.NaN, 1e-45);
  expect(unpacked(packed(numbers))).toEqual(numbers);
  expect(unpacked(packed(numbers.subarray(1, 3)))).toEqual(numbers.slice(1, 3));
  expect(unpacked('')).toHaveLength(0);
  expect(() => unpacked(Buffer.alloc(5).toString('base64'))).toThrow(RangeError);
});
