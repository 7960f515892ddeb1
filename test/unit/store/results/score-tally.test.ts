import { expect, it } from 'vitest';
import { ScoreTally } from '../../../../src-main/store/results/score-tally.ts';

const USUAL = { version: '1', level: 'usual' };

it('keeps the first in the order of their bytes, as the databases sort, of however many there are', () => {
  const tally = new ScoreTally(3);
  // U+FF5E comes before 🪨 in bytes; in JavaScript’s own order it comes after it.
  const miners = ['🪨', '\uff5e', 'b', 'B', 'a', 'c', 'd', 'e', 'a b'];
  for (const miner of [...miners, ...miners.toReversed()])
    tally.add({ environment: 'sat', ...USUAL, miner, score: 1, at: 1, block: null });
  expect(tally.means().map(({ miner, count }) => [miner, count])).toEqual([
    ['B', 2],
    ['a', 2],
    ['a b', 2],
  ]);
  const two = new ScoreTally(2);
  for (const miner of ['🪨', '\uff5e']) two.add({ environment: 'sat', ...USUAL, miner, score: 0, at: 1, block: null });
  expect(two.means().map(({ miner }) => miner)).toEqual(['\uff5e', '🪨']);
});

it('sorts by environment first, also where one name begins with the other', () => {
  const tally = new ScoreTally(10);
  tally.add({ environment: 'sat2', ...USUAL, miner: 'a', score: 1, at: 7, block: null });
  tally.add({ environment: 'sat', ...USUAL, miner: 'z', score: 0, at: 6, block: null });
  tally.add({ environment: 'sat', ...USUAL, miner: 'z', score: 0.5, at: 5, block: null });
  expect(tally.means()).toEqual([
    {
      environment: 'sat',
      ...USUAL,
      miner: 'z',
      count: 2,
      mean: 0.25,
      meanSquare: 0.125,
      since: 5,
      block: null,
    },
    { environment: 'sat2', ...USUAL, miner: 'a', count: 1, mean: 1, meanSquare: 1, since: 7, block: null },
  ]);
});
