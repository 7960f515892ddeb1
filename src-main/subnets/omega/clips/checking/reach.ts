import type { SourceKind } from '../../../../../src-preload/contract/data-names.ts';
import type { StoredLook } from '../../../../store/clips/clip-looks.ts';

/** Of a miner's last looks so many may have come to nothing; and of all at one source, this share, before it is this node that cannot fetch from there. */
export const CHECKS_LOOKED_AT = 50;
const [MOST_UNFETCHED, MOST_SHARE] = [2, 0.2] as const;
/** Fewer looks than these say nothing of this node, nor do those at fewer other miners. */
const [LEAST_CHECKS, LEAST_OTHERS] = [10, 3] as const;

/**
 * Where whoever put a video there has the server, too: it may have other bytes for each who asks, or other ones tomorrow, and nobody else sees it. So what it has for this node proves nothing
 * against a miner, and what it has not excuses none.
 */
const isServedByItsOwner = (source: SourceKind | null) => source === 'peertube';

/** YouTube has other files for other countries, and for each version of the program that fetches them. */
export const isTheSameForAll = (source: SourceKind | null) => !isServedByItsOwner(source) && source !== 'ytdlp';

/**
 * A file that changed in so many days may have been another one when a clip was made of it: whoever put it there has put another version in its place, or its source has made a smaller one of it,
 * as the Internet Archive and Commons do for days after an upload.
 */
export const LATELY_DAYS = 30;

const isUnfetched = ({ deep_check }: StoredLook) => deep_check === 'notFetched';
const unfetched = (looks: readonly StoredLook[]) => looks.filter(isUnfetched).length;

/**
 * Whether a miner hands in what cannot be fetched, though what others hand in can, or what its server has other bytes for. That is no lie that anybody could prove, and nobody is punished for it:
 * each of its answers is looked at, and counts nothing unless the clip is right, since else whoever makes up videos, or keeps this node from its own server, would never be found out.
 *
 * Each of the others has one voice, at each source: who hides is looked at with every answer, and a few of them would else look like a node that is kept from everything.
 * @param own the miner's last looks @param others the last one of everybody else, at each source
 */
export function isOutOfReach(own: readonly StoredLook[], others: readonly StoredLook[]): boolean {
  return own.filter((look) => saysSomething(look, others)).length > MOST_UNFETCHED;
}

/** Whether there can be so many of a miner's that the others have to be heard. */
export const isSuspect = (own: readonly StoredLook[]) =>
  own.filter((look) => isUnfetched(look) || look.deep_check === 'differs').length > MOST_UNFETCHED;

function saysSomething(look: StoredLook, others: readonly StoredLook[]): boolean {
  if (look.deep_check === 'differs') return true;
  if (!isUnfetched(look)) return false;
  // No miner keeps a node from a source that is everybody's: only where others' clips come from there it is this one's doing.
  if (look.unseen === 'blocked' && look.looked_source !== null && !isServedByItsOwner(look.looked_source))
    return !isMostly(others.filter(({ looked_source }) => looked_source === look.looked_source));
  const everywhere = lastOfEach(others);
  return everywhere.length < LEAST_OTHERS || !isMostly(everywhere);
}

/** More than half, or where there is nobody to ask. */
const isMostly = (others: readonly StoredLook[]) => others.length === 0 || unfetched(others) > others.length / 2;

/** Of each miner, wherever its clip was from. */
function lastOfEach(looks: readonly StoredLook[]): StoredLook[] {
  const last = new Map<string, StoredLook>();
  for (const look of looks) if (look.number > (last.get(look.peer)?.number ?? -1)) last.set(look.peer, look);
  return [...last.values()];
}

/** What could not be fetched from a source. */
export interface BlockedSource {
  source: SourceKind;
  all: number;
  unfetched: number;
}

/** From where this node itself cannot fetch: that is its own problem, and somebody has to look after it. */
export function blockedSources(looks: readonly StoredLook[]): BlockedSource[] {
  const bySource = Map.groupBy(looks, ({ looked_source }) => looked_source);
  return [...bySource].flatMap(([source, ofIt]) => {
    const count = { all: ofIt.length, unfetched: unfetched(ofIt) };
    const isBlocked = count.all >= LEAST_CHECKS && count.unfetched > MOST_SHARE * count.all;
    return source !== null && !isServedByItsOwner(source) && isBlocked ? [{ source, ...count }] : [];
  });
}
