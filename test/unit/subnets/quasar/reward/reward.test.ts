import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplierOf, rewardOf } from '../../../../../src-main/subnets/quasar/reward/context-multiplier.ts';

describe('what an answer earns', () => {
  it.each([
    [1, 1],
    [32_000, 1],
    [32_001, 1.2],
    [124_000, 1.2],
    [124_001, 1.5],
    [512_000, 1.5],
    [512_001, 1.8],
    [1_500_000, 1.8],
    [1_500_001, 2],
    [9_000_000, 2],
  ])('about %d tokens is counted by the smallest bucket that holds them', (tokens, multiplier) => {
    expect(multiplierOf(tokens)).toBe(multiplier);
  });

  it('never is more than 1, and the accuracy stands beside it', () => {
    expect(rewardOf(0.5, 2_000_000)).toEqual({ accuracy: 0.5, multiplier: 2, reward: 1 });
    expect(rewardOf(1, 32_000)).toEqual({ accuracy: 1, multiplier: 1, reward: 1 });
    expect(rewardOf(0.5, 100_000)).toEqual({ accuracy: 0.5, multiplier: 1.2, reward: 0.6 });
  });

  it('grows with the accuracy and with the length', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const length = fc.integer({ min: 1, max: 3_000_000 });
    fc.assert(
      fc.property(share, share, length, length, (one, other, short, long) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const [before, after] = [Math.min(short, long), Math.max(short, long)];
        expect(rewardOf(less, before).reward).toBeLessThanOrEqual(rewardOf(more, after).reward);
        expect(rewardOf(more, after).reward).toBeLessThanOrEqual(1);
      }),
    );
  });
});
