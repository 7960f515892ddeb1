import { leagueOf } from './leagues.ts';
import type { Track } from './verdict.ts';

/** What is known of an artefact that was revealed. */
export interface Revealed {
  id: string;
  /** Place in the order of all commitments. */
  number: number;
  hotkey: string;
  track: Track;
  sha256: string;
  tokens: number;
}

/** `copied`: another hotkey had committed to the same bytes before. `repeated`: so had the same one, in this league and round. */
export type Copy = 'copied' | 'repeated';

/**
 * Which submissions of a round are the bytes of an earlier commitment. An artefact is of the hotkey that committed to it first, in whichever round and league; that one
 * may enter it in several leagues.
 *
 * @param firsts of the same artefacts in earlier rounds: whose they are, by track and hash as {@link artefactKey}
 */
export function copiesIn(round: readonly Revealed[], firsts: ReadonlyMap<string, string>): Map<string, Copy> {
  const owners = new Map(firsts);
  const entered = new Set<string>();
  const copies = new Map<string, Copy>();
  for (const one of [...round].sort((a, b) => a.number - b.number)) {
    const key = artefactKey(one);
    const owner = owners.get(key) ?? one.hotkey;
    owners.set(key, owner);
    const place = `${key} ${one.hotkey} ${leagueOf(one.tokens)}`;
    if (owner !== one.hotkey) copies.set(one.id, 'copied');
    else if (entered.has(place)) copies.set(one.id, 'repeated');
    entered.add(place);
  }
  return copies;
}

export const artefactKey = ({ track, sha256 }: { track: Track; sha256: string }) => `${track} ${sha256}`;
