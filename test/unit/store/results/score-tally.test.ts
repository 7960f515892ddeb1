import { expect, it } from 'vitest';
import { ScoreTally } from '../../../../src-main/store/results/score-tally.ts';

const USUAL = { version: '1', level: 'usual' };

it('keeps the first in the order of their bytes, as the databases sort, of however many there are', () => {
  const tally = new ScoreTally(3);
  // U+FF5E comes before 🪨 in bytes; in JavaScript’s own order it comes after it.
  const miners = ['🪨', '\uff5e', 'b', 'B', 'a', 'c', 'd', 'e', 'a b'];
  for (const miner of [...miners, ...miners.toReversed()])
    tally.add({ environment: 'sat', ...USUAL, miner, score: 1, came: true, at: 1, block: null });
  expect(tally.means().map(({ miner, count }) => [miner, count])).toEqual([
    ['B', 2],
    ['a', 2],
    ['a b', 2],
  ]);
  const two = new ScoreTally(2);
  for (const miner of ['🪨', '\uff5e'])
    two.add({ environment: 'sat', ...USUAL, miner, score: 0, came: true, at: 1, block: null });
  expect(two.means().map(({ miner }) => miner)).toEqual(['\uff5e', '🪨']);
});

it('sorts by environment first, also where one name begins with the other', () => {
  const tally = new ScoreTally(10);
  tally.add({ environment: 'sat2', ...USUAL, miner: 'a', score: 1, came: true, at: 7, block: null });
  tally.add({ environment: 'sat', ...USUAL, miner: 'z', score: 0, came: true, at: 6, block: null });
  tally.add({ environment: 'sat', ...USUAL, miner: 'z', score: 0.5, came: true, at: 5, block: null });
  expect(tally.means()).toEqual([
    {
      environment: 'sat',
      ...USUAL,
      miner: 'z',
      count: 2,
      mean: 0.25,
      meanSquare: 0.125,
      failed: 0,
      since: 5,
      block: null,
    },
    { environment: 'sat2', ...USUAL, miner: 'a', count: 1, mean: 1, meanSquare: 1, failed: 0, since: 7, block: null },
  ]);
});

it('counts questions without an answer as wrong, beyond one in fifty; of a miner that never answered nothing is known', () => {
  const tally = new ScoreTally(10);
  const add = (miner: string, came: boolean, times: number) => {
    for (let at = 0; at < times; at++)
      tally.add({ environment: 'sat', ...USUAL, miner, score: came ? 1 : 0, came, at, block: null });
  };
  add('line that breaks', true, 98);
  add('line that breaks', false, 2);
  add('answers what is easy', true, 50);
  add('answers what is easy', false, 50);
  add('gone', false, 50);
  expect(tally.means()).toMatchObject([
    { miner: 'answers what is easy', count: 98, mean: 50 / 98, failed: 50 },
    { miner: 'gone', count: 0, mean: 0, failed: 50 },
    { miner: 'line that breaks', count: 98, mean: 1, failed: 2 },
  ]);
});
