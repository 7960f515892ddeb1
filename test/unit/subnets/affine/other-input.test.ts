import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherInput } from '../../../../src-main/subnets/affine/abd/other-input.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';

const others = (input: string) =>
  Array.from({ length: 60 }, (_, seed) => otherInput(new SeededRandom(`${seed}`), input));

describe('another input', () => {
  it('is the same for the same seed', () => {
    expect(others('3\n1 2 3')).toEqual(others('3\n1 2 3'));
  });

  it.each(['4\n17\n-250\n3\n88', '3\n10 200 3000', 'hello world 12', '7'])(
    'of %j is another one, often enough',
    (input) => {
      expect(others(input).filter((other) => other !== input).length).toBeGreaterThan(20);
    },
  );

  it('has numbers of as many digits, and words of as many letters out of the same', () => {
    for (const other of others('-250 88 abca 1')) {
      expect(
        other
          .split(' ')
          .map((word) => word.replace('-', '').length)
          .toSorted(),
      ).toEqual([1, 2, 3, 4]);
      expect(other).toMatch(/^[-\dabc ]+$/);
    }
  });

  it('goes on counting what follows, lines or entries', () => {
    for (const other of others('4\n17\n-250\n3\n88')) {
      const [count, ...rest] = other.split('\n');
      expect(rest).toHaveLength(Number(count));
    }
    for (const other of others('3\n10 200 3000')) {
      const [count, entries = ''] = other.split('\n');
      expect(entries.split(' ')).toHaveLength(Number(count));
    }
    expect(new Set(others('4\n17\n-250\n3\n88').map((other) => other.split('\n')[0]))).toEqual(new Set(['4', '3']));
  });

  it('is made of any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (seed, input) => {
        expect(otherInput(new SeededRandom(seed), input).length).toBeLessThanOrEqual(input.length + 1);
      }),
    );
  });
});
