import { describe, expect, it } from 'vitest';
import { sameJson } from '../../../../../src-main/subnets/quasar/code/same-json.ts';
import { closure, turned } from '../../../../../src-main/subnets/quasar/code/topics/import-graph.ts';
import { resolutionOrder } from '../../../../../src-main/subnets/quasar/code/topics/resolution-order.ts';
import {
  accepts,
  callOf,
  drawSignature,
  type Signature,
  signatureText,
} from '../../../../../src-main/subnets/quasar/code/topics/signature.ts';
import { SeededRandom } from '../../../../../src-main/validation/seeded-random.ts';

/** What Python says of the same is asked in code-challenges.test.ts. */
describe('a call', () => {
  const needed = (name: string) => ({ name, default: undefined });
  const with7 = (name: string) => ({ name, default: 7 });
  // (a, /, b, c=7, *, d, e=7)
  const signature: Signature = {
    ...{ positional: [needed('a'), needed('b'), with7('c')], positionalOnly: 1, takesMore: false },
    ...{ keywordOnly: [needed('d'), with7('e')], takesOthers: false },
  };

  it.each([
    [2, ['d'], true],
    [1, ['b', 'd'], true],
    [3, ['d', 'e'], true],
    [2, ['c', 'd'], true],
    [4, ['d'], false], // too many
    [2, [], false], // d is missing
    [1, ['d'], false], // b is missing
    [0, ['a', 'b', 'd'], false], // a by position only
    [2, ['b', 'd'], false], // b twice
    [2, ['d', 'x'], false], // nobody knows x
  ])('with %d by position and %j is taken: %s', (positional, keywords, taken) => {
    expect(signatureText(signature, undefined)).toBe('a, /, b, c=7, *, d, e=7');
    expect(accepts(signature, { positional, keywords })).toBe(taken);
  });

  it('takes more and others where there is room for them', () => {
    const roomy = { ...signature, takesMore: true, takesOthers: true };
    expect(signatureText(roomy, 'self')).toBe('self, a, /, b, c=7, *rest, d, e=7, **options');
    expect(accepts(roomy, { positional: 9, keywords: ['d', 'x', 'a'] })).toBe(true);
    expect(accepts(roomy, { positional: 9, keywords: ['d', 'c'] })).toBe(false);
  });

  it('that was drawn for a signature is taken by it', () => {
    const random = new SeededRandom('calls');
    for (let round = 0; round < 500; round++) {
      const drawn = drawSignature(random, ['a', 'b', 'c', 'd', 'e', 'f']);
      expect(accepts(drawn, callOf(random, drawn))).toBe(true);
    }
  });
});

it('looks classes through as Python does', () => {
  const order = (name: string, ...bases: string[][]) => resolutionOrder(name, bases);
  const [a, b, c] = [
    ['A', 'O'],
    ['B', 'O'],
    ['C', 'A', 'O'],
  ];
  expect(order('D')).toEqual(['D']);
  expect(order('D', a, b)).toEqual(['D', 'A', 'B', 'O']);
  expect(order('D', c, a)).toEqual(['D', 'C', 'A', 'O']);
  expect(order('D', a, c)).toBeUndefined(); // Python: cannot create a consistent order
  // The example of Python’s own documentation («The Python 2.3 Method Resolution Order», 9).
  expect(order('A', ['B', 'E', 'D', 'O'], ['C', 'D', 'F', 'O'])).toEqual(['A', 'B', 'E', 'C', 'D', 'F', 'O']);
});

it('finds who depends on whom, and itself only in a circle', () => {
  const graph = new Map(
    Object.entries({ a: ['b'], b: ['c'], c: ['a'], d: ['a'], e: [] }).map(([from, to]) => [from, new Set(to)]),
  );
  expect([...closure(graph, 'd')].sort()).toEqual(['a', 'b', 'c']);
  expect([...closure(turned(graph), 'b')].sort()).toEqual(['a', 'b', 'c', 'd']);
  expect([...closure(graph, 'e')]).toEqual([]);
});

it.each([
  [{ a: [1, null], b: 'x' }, { b: 'x', a: [1, null] }, true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [1, true, false],
  [1, '1', false],
  [null, undefined, false],
  [{}, [], false],
  [[], {}, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ toString: 1 }, {}, false],
  [{ a: null }, { b: null }, false],
])('of JSON, %j is %j: %s', (expected, value, same) => {
  expect(sameJson(expected, value)).toBe(same);
});
