import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src-main/validation/seeded-random.ts';

describe('draws from a seed', () => {
  it('are the same for ever', () => {
    const random = new SeededRandom('a seed');
    expect(Array.from({ length: 12 }, () => random.below(1_000))).toEqual([
      36, 349, 362, 376, 166, 626, 90, 639, 849, 774, 369, 856,
    ]);
    const another = new SeededRandom('a seed ');
    expect(Array.from({ length: 12 }, () => another.below(1_000))).toEqual([
      470, 291, 817, 266, 882, 455, 879, 681, 329, 591, 381, 638,
    ]);
  });

  it('stay within their bounds, and reach both ends', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, count) => {
        const drawn = new SeededRandom(seed).below(count);
        return Number.isInteger(drawn) && drawn >= 0 && drawn < count;
      }),
    );
    const random = new SeededRandom('ends');
    const drawn = new Set(Array.from({ length: 300 }, () => random.between(-2, 2)));
    expect([...drawn].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
  });

  it('are even, beyond the first block of the key stream too', () => {
    const random = new SeededRandom('even');
    const counts = Array<number>(7).fill(0);
    for (let draw = 0; draw < 70_000; draw++) counts[random.below(7)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('take no place twice', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.integer(), { minLength: 1 }), (seed, items) => {
        const some = new SeededRandom(seed).sample(items, items.length);
        return new Set(some).size === items.length;
      }),
    );
    expect(() => new SeededRandom('x').pick([])).toThrow(RangeError);
  });
});
