import { expect, it } from 'vitest';
import { severalAtOnce } from '../../../src-main/base/several-at-once.ts';

const numbers = Array.from({ length: 20 }, (_, at) => at);

it('does so many at a time, and gives what came of them in their order', async () => {
  let running = 0;
  let most = 0;
  const doubled = await severalAtOnce(numbers, 3, async (one) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 20 - one; turn++) await null;
    running--;
    return 2 * one;
  });
  expect(doubled).toEqual(numbers.map((one) => 2 * one));
  expect(most).toBe(3);
  expect(await severalAtOnce([], 3, async () => 1)).toEqual([]);
});

it('begins no other once one has failed', async () => {
  const begun: number[] = [];
  const failing = severalAtOnce(numbers, 2, async (one) => {
    begun.push(one);
    await null;
    if (one === 3) throw new Error('away');
  });
  await expect(failing).rejects.toThrow('away');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun.length).toBeLessThan(8);
});
