import { expect, it } from 'vitest';
import { compareAdapters } from '../../../../src-main/learning/adapters/compare.ts';
import { madeAdapter } from '../../../support/made-adapter.ts';
import { turnsOf } from '../../../support/turns.ts';

const size = { in: 512, out: 256 };
/** One matrix of so many numbers that a comparison takes some slices, and not one. */
const WIDE = { architecture: 'llama', layers: 1, heads: 8, kvHeads: 8, sizes: new Map([['0.q_proj', size]]) };

it('others have turns while large adapters are compared, also within one matrix', async () => {
  const [one, other] = [madeAdapter(WIDE, { rank: 128 }), madeAdapter(WIDE, { rank: 128, seed: 2 })];
  expect(await turnsOf(() => compareAdapters(one, other))).toBeGreaterThan(2);
});

it('stops where nobody waits for it any more', async () => {
  const nobody = new AbortController();
  const [one, other] = [madeAdapter(WIDE, { rank: 128 }), madeAdapter(WIDE, { rank: 128, seed: 2 })];
  const compared = compareAdapters(one, other, nobody.signal);
  nobody.abort(new Error('gone'));
  await expect(compared).rejects.toThrow('gone');
});
