import { expect, it } from 'vitest';
import { longestFor } from '../../../../src-main/models/fit/advice.ts';
import { profile } from './profiles.ts';

it('gives others their turns while it looks for the longest context', async () => {
  let [turns, estimates] = [0, 0];
  const parallelFor = async () => {
    estimates++;
    for (const begun = performance.now(); performance.now() - begun < 6; );
    return 0;
  };
  const search = longestFor(512, 1 << 20, {
    model: profile,
    set: { parallel: 4, kvCache: 'q4_0', rope: undefined },
    parallelFor,
  });
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await new Promise((turn) => setImmediate(turn));
  })();
  expect(await search).toBeUndefined();
  isDone = true;
  await others;
  expect(estimates).toBeGreaterThan(5);
  expect(turns).toBeGreaterThanOrEqual(estimates - 1);
});
