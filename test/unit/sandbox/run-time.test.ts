import { expect, it } from 'vitest';
import { RunTime } from '../../../src-main/sandbox/program-sandbox.ts';

it('gives each input its time, and all of them together no more than theirs', async () => {
  let now = 0;
  const time = new RunTime(10, 25, () => now);
  const given: number[] = [];
  const taking = (ms: number) => async (most: number) => {
    given.push(most);
    now += ms;
  };
  for (const ms of [10, 2, 9, 3, 5]) await time.spend(taking(ms));
  await expect(time.spend(async () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(given).toEqual([10, 10, 10, 4, 1]);
  await time.spend(taking(1));
  expect(given.at(-1)).toBe(0);
});
