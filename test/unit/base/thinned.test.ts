import { expect, it } from 'vitest';
import { thinned } from '../../../src-main/base/thinned.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

it.each([
  [0, 3, []],
  [3, 3, [0, 1, 2]],
  [4, 3, [0, 1, 2]],
  [10, 4, [0, 2, 5, 7]],
  [5, 0, []],
])('of %i, at most %i are taken, evenly', (count, most, taken) => {
  expect(thinned(upTo(count), most)).toEqual(taken);
});

it('there are never more or fewer of them than there can be, each once, in their order', () => {
  for (const [count, most] of upTo(40).flatMap((count) => upTo(40).map((most) => [count, most] as const))) {
    const taken = thinned(upTo(count), most);
    expect(taken).toHaveLength(Math.min(count, most));
    expect(taken).toEqual([...new Set(taken)].sort((one, other) => one - other));
  }
});
