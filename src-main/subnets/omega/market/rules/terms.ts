import { LEAST_PRICE, type OfferKind } from '../../../../../src-preload/contract/market-names.ts';
import { RAO_PER_TAO } from '../../../../../src-preload/contract/rao.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** By what a market sells. Each number stands here alone, and is what buyers and sellers are told. */
export interface MarketTerms {
  /** How long a lock lasts: the time to pay in. */
  lockMs: number;
  /** How much longer it lasts, once, where a payment was told that is not final yet. */
  heldMs: number;
  /** Locks in a row that may end without money, and how long whoever had them buys nothing then. */
  failures: number;
  banMs: number;
  /** Locks of one buyer at a time, and in {@link windowMs}, paid or not. */
  locksAtOnce: number;
  purchasesADay: number;
  /** What «a day» is: always the time before now. */
  windowMs: number;
  /** Parts of 100 of the day’s pool that may be spent: the rest is left to the buyers. */
  budgetPercent: bigint;
  /** Prices, in rao. */
  price: { least: bigint; most: bigint; shares: Record<OfferKind, number> };
  /** A video of a marketplace task below this is not shown. */
  leastShown: bigint;
  /** Less is rejected. */
  leastScore: number;
  /** How long what the market’s model rejected is kept, so that its seller can have a person look. */
  appealMs: number;
  /** Un-paused time of a video, milliseconds. */
  duration: { least: number; most: number };
  /** A payment counts in so many blocks after the lock: a day of them. */
  blocks: number;
}

/** OMEGA’s (its sheet, B11 and B13), with what it leaves open chosen. */
export const OMEGA_TERMS: MarketTerms = {
  lockMs: 20 * MINUTE_MS,
  // The sheet knows nothing of a chain that stands still.
  heldMs: 10 * MINUTE_MS,
  failures: 5,
  banMs: DAY_MS,
  locksAtOnce: 2,
  purchasesADay: 50,
  windowMs: DAY_MS,
  budgetPercent: 90n,
  price: {
    least: LEAST_PRICE,
    most: RAO_PER_TAO / 10n,
    // The sheet has none for tasks of the market itself: they may take all that the day has.
    shares: { user: 0.3, boosted: 0.7, marketplace: 1 },
  },
  leastShown: RAO_PER_TAO / 1_000n,
  leastScore: 0.1,
  // The sheet has no appeals.
  appealMs: 3 * DAY_MS,
  duration: { least: MINUTE_MS, most: 90 * MINUTE_MS },
  blocks: 7_200,
};
