import type { Entrant } from './ranking.ts';
import { PLACES, POT } from './terms.ts';

/** What becomes of shares that nobody has won: they are of nobody, or go into the next round’s pot. */
export const UNCLAIMED = ['burnt', 'carried'] as const;
export type Unclaimed = (typeof UNCLAIMED)[number];

/** In ten-thousandths of a round’s own pot. */
export interface Share {
  hotkey: string;
  submission: string;
  /** In its track, from 1. */
  place: number;
  share: number;
}

export interface Shares {
  /** What there was to share: {@link POT}, and what was carried. */
  pot: number;
  shares: Share[];
  /** What nobody has won, with what whole numbers leave over. */
  unclaimed: number;
  /** What of that goes into the next round’s pot. */
  carried: number;
}

/**
 * Tracks in which somebody has beaten the baseline share the pot alike, and in each the first four hotkeys get 60, 25, 10 and 5 %; one hotkey takes one share of a track, that
 * of its best place.
 * @param carried from the round before
 */
export function sharesOf(ranked: readonly Entrant[], carried: number, unclaimed: Unclaimed): Shares {
  const pot = POT + carried;
  const tracks = [...Map.groupBy(ranked, ({ track }) => track).values()];
  const shares = tracks.flatMap((own) => sharesOfTrack(own, Math.floor(pot / tracks.length)));
  const rest = pot - shares.reduce((sum, { share }) => sum + share, 0);
  return { pot, shares, unclaimed: rest, carried: unclaimed === 'carried' ? rest : 0 };
}

function sharesOfTrack(ranked: readonly Entrant[], pot: number): Share[] {
  const firsts = ranked.filter(({ hotkey }, at) => ranked.findIndex((one) => one.hotkey === hotkey) === at);
  return firsts.slice(0, PLACES.length).map(({ hotkey, id }, at) => ({
    ...{ hotkey, submission: id, place: at + 1 },
    share: Math.floor((pot * (PLACES[at] ?? 0)) / 100),
  }));
}
