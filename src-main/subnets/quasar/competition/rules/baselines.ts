import { LEAGUES, type League, multiplierOf } from './leagues.ts';
import type { Entrant } from './ranking.ts';
import type { Track } from './verdict.ts';

/** What submissions of one track and league are measured against. */
export interface Baseline {
  track: Track;
  league: League;
  /** Of its bytes, 64 hex. */
  sha256: string;
  /** Whose it is: the submission that won it in an earlier round; null for what the competition began with. */
  submission: string | null;
}

/** Of a competition that begins: the same for every league. @param first SHA-256 of what each track begins with */
export function firstBaselines(first: Readonly<Record<Track, string>>): Baseline[] {
  const tracks = Object.keys(first) as Track[];
  return tracks.flatMap((track) =>
    LEAGUES.map(({ from: league }) => ({ track, league, sha256: first[track], submission: null })),
  );
}

/**
 * Of the next round, with the first ones of tracks that there were none of before: in all leagues of a track the fastest of this one, whatever league it stood in; the same as before where nobody was faster. What was
 * found once is so paid for once: with a baseline for each league its finder could enter it in the next league, round after round.
 */
export function nextBaselines(
  now: readonly Baseline[],
  ranked: readonly Entrant[],
  first: readonly Baseline[],
): Baseline[] {
  const fresh = first.filter(({ track }) => now.every((one) => one.track !== track));
  return [...now, ...fresh].map((baseline) => {
    const best = fastest(ranked.filter(({ track }) => track === baseline.track));
    return best ? { ...baseline, sha256: best.sha256, submission: best.id } : baseline;
  });
}

/** By its speed alone; of equals, who committed first. */
function fastest(entrants: readonly Entrant[]): Entrant | undefined {
  const speed = ({ weighted, league }: Entrant) => weighted / multiplierOf(league);
  return [...entrants].sort((a, b) => speed(b) - speed(a) || a.number - b.number)[0];
}
