import { expect, it } from 'vitest';
import { newestInParts } from '../../../../src-main/store/clips/newest-in-parts.ts';

const NUMBERS = Array.from({ length: 30_000 }, (_, at) => at + 1).filter((number) => number % 7_000 === 1);

it('rows come as if they were read at once, the newest first, however far apart they are', async () => {
  const stretches: number[] = [];
  const read = async ({ from, before }: { from: number; before: number }, limit: number) => {
    stretches.push(before - from);
    const within = NUMBERS.filter((number) => number >= from && number < before);
    return within.toReversed().slice(0, limit);
  };
  const all = NUMBERS.toReversed();
  expect(all).toHaveLength(5);
  expect(await newestInParts({ before: 30_001, limit: 100, first: 2_000 }, read)).toEqual(all);
  expect(Math.max(...stretches)).toBeLessThan(30_000);
  stretches.length = 0;
  expect(await newestInParts({ before: 30_001, limit: 1, first: 2_000 }, read)).toEqual(all.slice(0, 1));
  expect(stretches.length).toBe(1);
  expect(await newestInParts({ before: 21_001, limit: 2, first: 2_000 }, read)).toEqual([14_001, 7_001]);
  expect(await newestInParts({ before: 1, limit: 2, first: 2_000 }, read)).toEqual([]);
});
