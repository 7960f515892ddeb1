import type { MarketTerms } from './terms.ts';

/** Blocks of a day: one in twelve seconds. */
const BLOCKS_A_DAY = 7_200n;
/** Parts of 100 of what a subnet takes in that go to miners. */
const MINERS_PERCENT = 41n;
const PARTS = 10_000;

/**
 * What miners of a subnet get for videos in a day (OMEGA, its sheet, B13).
 * @param taoIn rao that the subnet gets in a block
 * @param share of it that is for videos, 0 to 1
 */
export function dayPool(taoIn: bigint, share: number): bigint {
  return (taoIn * BLOCKS_A_DAY * MINERS_PERCENT * BigInt(Math.round(share * PARTS))) / (100n * BigInt(PARTS));
}

export interface Spending {
  /** Rao of a day. */
  pool: bigint;
  /** Rao that were paid in the day before now, and what is locked and may be paid any moment. */
  spent: bigint;
  locked: bigint;
}

/** What may be spent in a day. */
export function budgetOf(pool: bigint, { budgetPercent }: MarketTerms): bigint {
  return (pool * budgetPercent) / 100n;
}

/** What is left of it; what is locked counts as spent. Never below 0. */
export function leftOf({ pool, spent, locked }: Spending, terms: MarketTerms): bigint {
  const left = budgetOf(pool, terms) - spent - locked;
  return left > 0n ? left : 0n;
}
