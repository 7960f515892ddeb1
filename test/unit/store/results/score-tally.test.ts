import { expect, it } from 'vitest';
import { ScoreTally } from '../../../../src-main/store/results/score-tally.ts';

const USUAL = { version: '1', level: 'usual' };
const one = (score: number, at = 1) => ({
  count: 1,
  sum: score,
  squares: score ** 2,
  zeros: Number(score === 0),
  negatives: 0,
  at,
  block: null,
});

it('keeps all of the miners with the most results, however many names there are, and no environment goes missing', () => {
  const tally = new ScoreTally(4);
  const add = (miner: string, results: number) => {
    for (const environment of ['abd', 'sat'])
      for (let at = 0; at < results; at++) tally.add({ environment, ...USUAL, miner }, one(1, at));
  };
  for (let crowd = 0; crowd < 50; crowd++) add(`a crowd ${crowd}`, 1);
  add('busy', 3);
  for (let crowd = 0; crowd < 50; crowd++) add(`c crowd ${crowd}`, 1);
  add('first', 5);
  expect(tally.means().map(({ environment, miner, count }) => [environment, miner, count])).toEqual([
    ['abd', 'busy', 3],
    ['abd', 'first', 5],
    ['sat', 'busy', 3],
    ['sat', 'first', 5],
  ]);
});

it('sorts by environment first, also where one name begins with the other, and by bytes, as the databases do', () => {
  const tally = new ScoreTally(10);
  tally.add({ environment: 'sat2', ...USUAL, miner: 'a' }, one(1, 7));
  tally.add({ environment: 'sat', ...USUAL, miner: 'z' }, one(0, 6));
  tally.add({ environment: 'sat', ...USUAL, miner: 'z' }, { ...one(0.5, 5), block: 8 });
  tally.add(
    { environment: 'sat', ...USUAL, miner: 'z' },
    { count: 2, sum: 1, squares: 0.5, zeros: 0, negatives: 0, at: 9, block: 7 },
  );
  // U+FF5E comes before 🪨 in bytes; in JavaScript’s own order it comes after it.
  for (const miner of ['🪨', '\uff5e']) tally.add({ environment: 'ded', ...USUAL, miner }, one(0));
  const means = tally.means();
  expect(means.map(({ miner }) => miner)).toEqual(['\uff5e', '🪨', 'z', 'a']);
  expect(means.slice(2)).toEqual([
    {
      environment: 'sat',
      ...USUAL,
      miner: 'z',
      count: 4,
      mean: 0.375,
      meanSquare: 0.1875,
      zeros: 1,
      negatives: 0,
      since: 5,
      block: 7,
    },
    {
      environment: 'sat2',
      ...USUAL,
      miner: 'a',
      count: 1,
      mean: 1,
      meanSquare: 1,
      zeros: 0,
      negatives: 0,
      since: 7,
      block: null,
    },
  ]);
});
