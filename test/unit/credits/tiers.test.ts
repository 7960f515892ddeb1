import { describe, expect, it } from 'vitest';
import { nextTier, TIER_POINTS, TIERS, tierOf, tierOfNeuron, tierRank } from '../../../src-main/credits/tiers.ts';

describe('tiers', () => {
  it.each(TIERS.map((tier, rank) => [tier, TIER_POINTS[tier], rank] as const))(
    '%s starts at %i points and has rank %i',
    (tier, points, rank) => {
      expect(tierOf(points)).toBe(tier);
      expect(tierRank(tier)).toBe(rank);
      if (points > 0) expect(tierOf(points - 1)).toBe(TIERS[rank - 1]);
    },
  );

  it('says how many points the next tier asks for', () => {
    expect(nextTier(0)).toEqual({ tier: 'bronze', missing: 1 });
    expect(nextTier(499)).toEqual({ tier: 'gold', missing: 1 });
  });

  it('serves validators of a subnet as gold, who else is registered there as bronze, strangers as newcomers', () => {
    expect([{ permit: true }, { permit: false }, undefined].map(tierOfNeuron)).toEqual(['gold', 'bronze', 'newcomer']);
  });

  it('knows nothing above a master', () => expect(nextTier(10_000)).toBeUndefined());
});
