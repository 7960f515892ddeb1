import { artefactKey } from './copies.ts';
import { type League, leagueOf, multiplierOf } from './leagues.ts';
import { SAME_BELOW, TO_BEAT } from './terms.ts';
import { TRACKS, type Track, type Verdict } from './verdict.ts';

/** What is known of a revealed submission when a round is at its end. */
export interface Judged {
  id: string;
  /** Place in the order of all commitments: who committed first has the lower one. */
  number: number;
  hotkey: string;
  track: Track;
  /** SHA-256 of the artefact, 64 hex. */
  sha256: string;
  tokens: number;
  verdict: Verdict;
}

/** A submission that beats the baseline, with the speed that it is ordered by. */
export interface Entrant extends Judged {
  league: League;
  /** How many times as fast as the baseline of its league, times the league’s multiplier. */
  weighted: number;
}

/** Whether all of its 95 % interval lies above {@link TO_BEAT}: it is faster than the baseline by more than equals differ, and not by chance. */
export function beatsBaseline(verdict: Verdict): boolean {
  return verdict.right && verdict.ratio.low > TO_BEAT;
}

/**
 * The order of a round, track by track: what is fast on one is not to be compared with what is on the other. What does not beat the baseline is in no place. The fastest by weighted speed comes first, but of those within {@link SAME_BELOW} of the
 * fastest that is left it is the one who committed first: to be a hair faster than what somebody else has shown is not worth a place. A hotkey has one place in each
 * league and track, the best of what it has there: so it loses nothing by trying again. Bytes that were found wrong in one league are in no place in any: who is right
 * with some seeds only would else try one league after the other until he is.
 */
export function rank(judged: readonly Judged[]): Entrant[] {
  const wrong = new Set(judged.filter(({ verdict }) => !verdict.right).map(artefactKey));
  const right = judged.filter((one) => !wrong.has(artefactKey(one)));
  const entrants = right.flatMap(entrant);
  return TRACKS.flatMap((track) => {
    const own = entrants.filter((one) => one.track === track);
    return firstsOfTheirKind(inOrder(own.sort(fastestFirst)));
  });
}

/** Each with its place in its track, from 1. @param ranked as {@link rank} gives them */
export function withPlaces<T extends { track: string }>(ranked: readonly T[]): { one: T; place: number }[] {
  const before = new Map<string, number>();
  return ranked.map((one) => {
    const place = (before.get(one.track) ?? 0) + 1;
    before.set(one.track, place);
    return { one, place };
  });
}

/** @param left fastest first; nothing is left of it */
function inOrder(left: Entrant[]): Entrant[] {
  const ranked: Entrant[] = [];
  while (left.length > 0) {
    const next = firstOfEquals(left);
    ranked.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return ranked;
}

function entrant(one: Judged): Entrant[] {
  const { verdict, tokens } = one;
  if (!(verdict.right && beatsBaseline(verdict))) return [];
  const league = leagueOf(tokens);
  return [{ ...one, league, weighted: verdict.ratio.median * multiplierOf(league) }];
}

function firstsOfTheirKind(ranked: readonly Entrant[]): Entrant[] {
  const firsts = new Map<string, Entrant>();
  for (const one of ranked) {
    const kind = `${one.hotkey} ${one.track} ${one.league}`;
    if (!firsts.has(kind)) firsts.set(kind, one);
  }
  return [...firsts.values()];
}

/** @param left fastest first, at least one */
function firstOfEquals(left: readonly Entrant[]): Entrant {
  let first = left[0] as Entrant;
  const { weighted: fastest } = first;
  for (const one of left) {
    if (!isSame(one.weighted, fastest)) break;
    if (one.number < first.number) first = one;
  }
  return first;
}

/** Whether a speed counts as the same as a higher one. */
function isSame(weighted: number, higher: number): boolean {
  return (higher - weighted) / higher < SAME_BELOW;
}

function fastestFirst(a: Entrant, b: Entrant): number {
  return b.weighted - a.weighted || a.number - b.number;
}
