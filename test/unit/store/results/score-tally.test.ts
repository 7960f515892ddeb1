import { expect, it } from 'vitest';
import { ScoreTally } from '../../../../src-main/store/results/score-tally.ts';

it('keeps the first in the order of their bytes, as the databases sort, of however many there are', () => {
  const tally = new ScoreTally(3);
  // U+FF5E comes before 🪨 in bytes; in JavaScript’s own order it comes after it.
  const miners = ['🪨', '\uff5e', 'b', 'B', 'a', 'c', 'd', 'e', 'a b'];
  for (const miner of [...miners, ...miners.toReversed()]) tally.add({ environment: 'sat', miner, score: 1 });
  expect(tally.means().map(({ miner, count }) => [miner, count])).toEqual([
    ['B', 2],
    ['a', 2],
    ['a b', 2],
  ]);
  const two = new ScoreTally(2);
  for (const miner of ['🪨', '\uff5e']) two.add({ environment: 'sat', miner, score: 0 });
  expect(two.means().map(({ miner }) => miner)).toEqual(['\uff5e', '🪨']);
});

it('sorts by environment first, also where one name begins with the other', () => {
  const tally = new ScoreTally(10);
  tally.add({ environment: 'sat2', miner: 'a', score: 1 });
  tally.add({ environment: 'sat', miner: 'z', score: 0 });
  tally.add({ environment: 'sat', miner: 'z', score: 0.5 });
  expect(tally.means()).toEqual([
    { environment: 'sat', miner: 'z', count: 2, mean: 0.25 },
    { environment: 'sat2', miner: 'a', count: 1, mean: 1 },
  ]);
});
