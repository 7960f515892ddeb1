import type { DeepCheckState } from '../../../../../src-preload/contract/data-names.ts';

/** Of a miner's last looks so many may have come to nothing; and of everybody's, this share, before it is this node that cannot fetch. */
const [LAST_CHECKS, MOST_UNFETCHED, MOST_SHARE] = [50, 2, 0.2] as const;
/** Fewer looks than these say nothing of this node. */
const LEAST_CHECKS = 10;
export const CHECKS_LOOKED_AT = LAST_CHECKS;

const unfetched = (checks: readonly DeepCheckState[]) => checks.filter((check) => check === 'notFetched').length;

/**
 * Whether a miner hands in what cannot be fetched, though what others hand in can. That is no lie that anybody could prove, and nobody is punished for it: its clips count nothing until
 * one of them can be looked at again, since else whoever makes up videos, or keeps this node from its own server, would never be found out.
 * @param own the miner's last looks @param all those of everybody
 */
export function isOutOfReach(own: readonly DeepCheckState[], all: readonly DeepCheckState[]): boolean {
  return unfetched(own.slice(0, LAST_CHECKS)) > MOST_UNFETCHED && !isBlocked(withoutOwn(all, own));
}

/** Whether this node itself cannot fetch: that is its own problem, and somebody has to look after it. */
export function isBlocked(all: readonly DeepCheckState[]): boolean {
  return all.length >= LEAST_CHECKS && unfetched(all) > MOST_SHARE * all.length;
}

/** A miner's own looks are among everybody's: as many of each sort go. */
function withoutOwn(all: readonly DeepCheckState[], own: readonly DeepCheckState[]): DeepCheckState[] {
  const left = [...all];
  for (const check of own) {
    const at = left.indexOf(check);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
