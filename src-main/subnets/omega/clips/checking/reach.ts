import type { DeepCheckState } from '../../../../../src-preload/contract/data-names.ts';

/** Of a miner's last looks so many may have come to nothing; and of everybody's, this share, before it is this node that cannot fetch. */
export const CHECKS_LOOKED_AT = 50;
const [MOST_UNFETCHED, MOST_SHARE] = [2, 0.2] as const;
/** Fewer looks than these say nothing of this node, nor do those at fewer other miners. */
const [LEAST_CHECKS, LEAST_OTHERS] = [10, 3] as const;

const unfetched = (checks: readonly DeepCheckState[]) => checks.filter((check) => check === 'notFetched').length;

/**
 * Whether a miner hands in what cannot be fetched, though what others hand in can. That is no lie that anybody could prove, and nobody is punished for it: its clips count nothing until
 * one of them can be looked at again, since else whoever makes up videos, or keeps this node from its own server, would never be found out.
 *
 * Each of the others has one voice: who hides is looked at with every answer, and a few of them would else look like a node that is kept from everything.
 * @param own the miner's last looks @param others the last one of everybody else
 */
export function isOutOfReach(own: readonly DeepCheckState[], others: readonly DeepCheckState[]): boolean {
  return unfetched(own) > MOST_UNFETCHED && !isMostly(others);
}

const isMostly = (others: readonly DeepCheckState[]) =>
  others.length >= LEAST_OTHERS && unfetched(others) > others.length / 2;

/** Whether this node itself cannot fetch: that is its own problem, and somebody has to look after it. */
export function isBlocked(all: readonly DeepCheckState[]): boolean {
  return all.length >= LEAST_CHECKS && unfetched(all) > MOST_SHARE * all.length;
}
