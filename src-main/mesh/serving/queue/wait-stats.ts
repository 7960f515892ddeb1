import { TIER_WAIT_TARGET_MS, TIERS, type Tier } from '../../../credits/tiers.ts';

/** Waits of one tier's requests against the tier's target. Times in milliseconds. */
export interface TierWaits {
  tier: Tier;
  served: number;
  meanMs: number;
  maxMs: number;
  /** Undefined for newcomers, who have none. */
  targetMs: number | undefined;
  /** Share of the requests that waited no longer than the target, 0–1; undefined without target or requests. */
  withinTarget: number | undefined;
}

interface Sums {
  served: number;
  totalMs: number;
  maxMs: number;
  within: number;
}

/** How long requests waited, by tier. Only reported: nobody is ever made to wait to meet a target. */
export class WaitStats {
  readonly #sums = new Map<Tier, Sums>();

  record(tier: Tier, waitMs: number): void {
    const sums = this.#sums.get(tier) ?? { served: 0, totalMs: 0, maxMs: 0, within: 0 };
    this.#sums.set(tier, sums);
    sums.served++;
    sums.totalMs += waitMs;
    sums.maxMs = Math.max(sums.maxMs, waitMs);
    if (waitMs <= (TIER_WAIT_TARGET_MS[tier] ?? Number.POSITIVE_INFINITY)) sums.within++;
  }

  /** Highest tier first; tiers without a request are left out. */
  report(): TierWaits[] {
    return TIERS.toReversed().flatMap((tier) => {
      const sums = this.#sums.get(tier);
      return sums ? [describe(tier, sums)] : [];
    });
  }
}

function describe(tier: Tier, { served, totalMs, maxMs, within }: Sums): TierWaits {
  const targetMs = TIER_WAIT_TARGET_MS[tier];
  const withinTarget = targetMs === undefined ? undefined : within / served;
  return { tier, served, meanMs: totalMs / served, maxMs, targetMs, withinTarget };
}
