import type { MarketTerms } from './terms.ts';

/** What is remembered of a buyer (a coldkey: hotkeys are many and cheap). */
export interface Buyer {
  /** Locks in a row that ended without money. */
  failures: number;
  /** Unix milliseconds; null where there was no ban. */
  bannedUntil: number | null;
}

export const NEW_BUYER: Buyer = { failures: 0, bannedUntil: null };

/** A lock ended without money: by time, or because its buyer wanted it. One is as free as the other, so both count. */
export function afterFailure({ failures, bannedUntil }: Buyer, now: number, terms: MarketTerms): Buyer {
  if (failures + 1 < terms.failures) return { failures: failures + 1, bannedUntil };
  return { failures: 0, bannedUntil: now + terms.banMs };
}

/** Milliseconds for which a buyer may buy nothing yet; 0 where there is no ban. */
export function bannedFor({ bannedUntil }: Buyer, now: number): number {
  return Math.max(0, (bannedUntil ?? 0) - now);
}

export interface BuyerLoad {
  /** Locks now; and of a day what was paid and what ended without money: a sale now and then does not buy locks for nothing. */
  locks: number;
  over: number;
  /** When this buyer’s last lock on the same video ended without money; undefined where there was none. */
  lastFailure: number | undefined;
}

/** Why a buyer gets no lock now; undefined where nothing is against it. Who let go of a video waits as long as a lock lasts: others have their turn. */
export function againstLock(
  load: BuyerLoad,
  now: number,
  terms: MarketTerms,
): 'locksAtOnce' | 'purchasesADay' | 'again' | undefined {
  if (load.locks >= terms.locksAtOnce) return 'locksAtOnce';
  if (load.locks + load.over >= terms.purchasesADay) return 'purchasesADay';
  return load.lastFailure !== undefined && now < load.lastFailure + terms.lockMs ? 'again' : undefined;
}
