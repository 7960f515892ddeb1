import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { compareAdapters } from '../../../../src-main/learning/adapters/compare.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

/** One large matrix, of a rank beyond what people train. */
const BASE = { ...smallBase(), layers: 1, sizes: new Map([['0.q_proj', { in: 128, out: 128 }]]) };
const adapter = (seed: number) => madeAdapter(BASE, { rank: 512, alpha: 512, seed });

it('adapters of a large rank are compared with turns for others in between', async () => {
  const [first, second] = [adapter(1), adapter(2)];
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const compared = compareAdapters(first, second).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await aTurn();
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  expect(longest).toBeLessThan(200);
  const [{ one, other, apart } = { one: 0, other: 0, apart: 0 }] = await compared;
  // Random directions stand at right angles to each other.
  expect(apart).toBeCloseTo(Math.hypot(one, other), -1);
});

it('stops where nobody waits for it any more', async () => {
  const nobody = new AbortController();
  const compared = compareAdapters(adapter(1), adapter(2), nobody.signal);
  await aTurn();
  nobody.abort(new Error('gone'));
  await expect(compared).rejects.toThrow('gone');
});
