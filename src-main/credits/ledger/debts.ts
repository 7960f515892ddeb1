import type { Debtors as DebtorsPage, TrustedPeers } from '../../../src-preload/contract/credits.ts';
import type { Claims } from '../standing/claims.ts';
import type { Debtors } from '../standing/debtors.ts';
import type { Tier } from '../tiers.ts';

/** Which part of a list is wanted. */
export interface DebtsPage {
  limit: number;
  /** So many are passed over. */
  offset: number;
}

/**
 * Those who have served this node, or whom it owes something: the greatest debt first, a page of them.
 * @param tierOf where a peer's requests stand here
 */
export function listTrusted(
  claims: Claims,
  { limit, offset }: DebtsPage,
  tierOf: (peer: string) => Tier,
): TrustedPeers {
  const all = claims.list();
  const peers = all.slice(offset, offset + limit).map((peer) => ({ ...peer, tier: tierOf(peer.peer) }));
  return { peers, total: all.length, owed: claims.total };
}

/**
 * Those who should owe this node something: the greatest debt first, a page of them.
 * @param isHere whether a peer is in reach; undefined where this node is on no mesh
 */
export function listDebtors(
  debtors: Debtors,
  { limit, offset }: DebtsPage,
  isHere: ((peer: string) => boolean) | undefined,
): DebtorsPage {
  const all = debtors.list();
  const peers = all.slice(offset, offset + limit).map((one) => ({ ...one, inReach: isHere?.(one.peer) }));
  const inReach = isHere && all.reduce((sum, { peer, owes }) => sum + (isHere(peer) ? owes : 0), 0);
  return { peers, total: all.length, owes: debtors.total, inReach };
}
