import fc from 'fast-check';
import { expect, it } from 'vitest';
import { greatest } from '../../../src-main/base/greatest.ts';

it('gives the greatest, the greatest first, and of equals those that came first', () => {
  const items = fc.array(fc.record({ id: fc.nat(), weight: fc.nat(20) }), { maxLength: 200 });
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 30 }), (all, count) => {
      const sorted = [...all].sort((a, b) => b.weight - a.weight).slice(0, count);
      expect(greatest(all, count, ({ weight }) => weight)).toEqual(sorted);
    }),
  );
});
