import type { AttemptOutcome } from '../../../../src-preload/contract/optimiser-numbers.ts';

/** What of an attempt decides how a run goes on. */
export interface Tried {
  number: number;
  iteration: number;
  repair: number;
  outcome: AttemptOutcome;
  source: string | null;
  detail: string | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
}

export interface Bounds {
  iterations: number;
  plateau: number;
  repairs: number;
}

/** What is to be tried next: a new idea, or a mended attempt; or why there is nothing left to do. */
export type Next = { iteration: number; repair: number; mends?: Tried; sinceGain: number } | 'iterations' | 'plateau';

/** The one whose lower bound is higher. */
export function betterOf<One extends Pick<Tried, 'low'>>(best: One | undefined, tried: One): One | undefined {
  if (tried.low === null) return best;
  return best === undefined || tried.low > (best.low ?? Number.NEGATIVE_INFINITY) ? tried : best;
}

/** What could be mended with what is known of it. */
const canBeMended = ({ outcome }: Tried) => outcome !== 'measured';

/**
 * What follows by what is written down alone: so whoever was killed goes on as if nothing had been.
 * @param best the attempt with the highest lower bound
 * @param last the newest attempt; undefined before any
 * @param countsFrom ideas up to this one do not count for the plateau
 */
export function nextOf(
  best: Tried | undefined,
  last: Tried | undefined,
  { iterations, plateau, repairs }: Bounds,
  countsFrom = 0,
): Next {
  const done = last?.iteration ?? 0;
  const sinceGain = done - Math.max(best?.iteration ?? 0, countsFrom);
  if (last && canBeMended(last) && last.repair < repairs)
    return { iteration: done, repair: last.repair + 1, mends: last, sinceGain };
  if (done >= iterations) return 'iterations';
  if (sinceGain >= plateau) return 'plateau';
  return { iteration: done + 1, repair: 0, sinceGain };
}

const [FIRST, STEP, HOTTEST, MENDING] = [0.4, 0.1, 1, 0.2] as const;

/** Bolder with each idea that brought nothing, from 0.4 by 0.1 up to 1; an error is mended at 0.2. */
export function temperatureOf({ repair, sinceGain }: { repair: number; sinceGain: number }): number {
  if (repair > 0) return MENDING;
  return Math.min(HOTTEST, Math.round(10 * (FIRST + STEP * sinceGain)) / 10);
}
