/** Credit tiers, lowest first. The index is the rank that the queue uses. */
export const TIERS = ['newcomer', 'bronze', 'silver', 'gold', 'platinum', 'diamond', 'master'] as const;

export type Tier = (typeof TIERS)[number];

/** Fewest confirmed points a tier asks for (QMesh, §Tiers). */
export const TIER_POINTS: Record<Tier, number> = {
  newcomer: 0,
  bronze: 1,
  silver: 100,
  gold: 500,
  platinum: 1_500,
  diamond: 4_000,
  master: 10_000,
};

/** Wait that each tier should see at most, in milliseconds (QMesh, §Queue). Reported, never slept. Newcomers have none. */
export const TIER_WAIT_TARGET_MS: Record<Tier, number | undefined> = {
  newcomer: undefined,
  bronze: 5_000,
  silver: 2_000,
  gold: 1_000,
  platinum: 500,
  diamond: 100,
  master: 0,
};

/** The tier that a number of confirmed points stands for. */
export function tierOf(points: number): Tier {
  return TIERS.findLast((tier) => points >= TIER_POINTS[tier]) ?? 'newcomer';
}

/**
 * The tier in which a hotkey of Bittensor is served, which pays with no credits: validators come before most, those who paid for their place
 * on the subnet before strangers.
 * @param neuron what it is on the subnet; undefined where it is not registered there
 */
export function tierOfNeuron(neuron: { permit: boolean } | undefined): Tier {
  if (!neuron) return 'newcomer';
  return neuron.permit ? 'gold' : 'bronze';
}

/** 0 (newcomer) to 6 (master). */
export function tierRank(tier: Tier): number {
  return TIERS.indexOf(tier);
}

/** The tier above, and how many points are missing; undefined for a master. */
export function nextTier(points: number): { tier: Tier; missing: number } | undefined {
  const tier = TIERS[tierRank(tierOf(points)) + 1];
  return tier && { tier, missing: TIER_POINTS[tier] - points };
}
