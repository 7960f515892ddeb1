import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ones } from '../../../src-main/base/ones.ts';

it('counts the bits that are 1, also of what is negative', () => {
  fc.assert(
    fc.property(fc.integer(), (bits) => {
      expect(ones(bits)).toBe((bits >>> 0).toString(2).replaceAll('0', '').length);
    }),
  );
  expect([ones(0), ones(-1), ones(0x80000000)]).toEqual([0, 32, 1]);
});
