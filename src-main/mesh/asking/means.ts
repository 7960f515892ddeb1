/** How a request would be paid for at a worker, as far as its client knows. */
export type Means =
  /** What the worker owes the client. */
  | 'claim'
  /** That, and what others whom it owes something let the client have of it. */
  | 'vouchers'
  /** A gift to the client's network, before those to others: somebody has a word for it there. */
  | 'word'
  /** A gift to the client's network. */
  | 'gift'
  /** Nothing that the client knows of. */
  | 'none';

/** The best first. Vouchers are as good as a claim: to go only where one has served oneself makes crowds, and waits. */
const PLACES: Record<Exclude<Means, 'none'>, number> = { claim: 0, vouchers: 0, word: 1, gift: 2 };

/** What a client may expect of a worker before it has asked. */
export interface Prospect {
  means: Means;
  /** Whether the request would begin at once. */
  free: boolean;
}

/** Somebody who may vouch. */
export interface Way {
  id: string;
  /** Credits that it should owe the client. */
  owed: number;
}

/** A voucher is asked for at least so many credits: what one request leaves serves the next. */
const LEAST_VOUCHED = 4;

/**
 * How a request would be paid for.
 *
 * @param cost credits that it costs at most
 * @param at `owed`: credits that the worker should owe the client; `gift`: those that it would give; `ways`: whom the client may
 * ask for vouchers
 */
export function meansFor(cost: number, at: { owed: number; gift: number; ways: readonly Way[] }): Means {
  const { owed, gift, ways } = at;
  if (owed >= cost) return 'claim';
  if (owed + ways.reduce((sum, way) => sum + way.owed, 0) >= cost) return 'vouchers';
  if (gift < cost) return 'none';
  // Who has served the worker is judged by that alone: a word is for those whom it does not know.
  return ways.length > 0 && owed === 0 ? 'word' : 'gift';
}

/** Whom to ask for how much of what they owe, so that the missing credits come together. All are asked at once. */
export function sharesOf(missing: number, ways: readonly Way[]): { by: string; credits: number }[] {
  const shares: { by: string; credits: number }[] = [];
  let left = missing;
  for (const { id, owed } of ways) {
    if (left <= 0) break;
    const credits = Math.min(Math.max(left, LEAST_VOUCHED), owed);
    if (credits <= 0) continue;
    shares.push({ by: id, credits });
    left -= credits;
  }
  return shares;
}

/** How much further back a place is where a request waits. */
export const WAITING = 3;

/**
 * The order in which workers are asked, from 0: where a request begins at once, the best means first; then where it waits; and where
 * nothing would pay for it only if there is nobody else.
 */
export function placeOf({ means, free }: Prospect): number {
  if (means === 'none') return 2 * WAITING;
  return PLACES[means] + (free ? 0 : WAITING);
}
