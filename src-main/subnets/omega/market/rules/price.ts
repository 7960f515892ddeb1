import type { OfferKind } from '../../../../../src-preload/contract/market-names.ts';
import type { MarketTerms } from './terms.ts';

/** Shares are counted in these: no price depends on how a computer rounds. */
const PARTS = 1_000_000_000;

/** What a video is worth beside others: its score for each of its seconds. */
export function points({ score, durationMs }: { score: number; durationMs: number }): number {
  return (score * durationMs) / 1_000;
}

export interface Priced {
  kind: OfferKind;
  score: number;
  durationMs: number;
  /** Rao; null where the market’s price is taken as it is. */
  wish: bigint | null;
}

/**
 * What a video costs: what is shown, and what is paid (OMEGA, its sheet, B13: its share of the points of a day among videos of its kind, of what the day has
 * for that kind). No more than its seller wishes, within the least and the most there is.
 *
 * @param pool rao of a day
 * @param others points of the other videos of its kind that came in a day
 * @returns rao
 */
export function priceOf(
  video: Priced,
  { pool, others }: { pool: bigint; others: number },
  { price }: MarketTerms,
): bigint {
  const own = points(video);
  const share = own <= 0 ? 0 : (own / (others + own)) * price.shares[video.kind];
  const byShare = (pool * BigInt(Math.floor(share * PARTS))) / BigInt(PARTS);
  const wished = video.wish !== null && video.wish < byShare ? video.wish : byShare;
  return within(wished, price.least, price.most);
}

function within(amount: bigint, least: bigint, most: bigint): bigint {
  if (amount < least) return least;
  return amount > most ? most : amount;
}
