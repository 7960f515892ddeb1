import type { TrustedPeers } from '../../../src-preload/contract/credits.ts';
import { type Claims, tierOfClaim } from '../standing/claims.ts';

export interface TrustedPage {
  limit: number;
  /** So many are passed over. */
  offset: number;
}

/** Those who have served this node, or whom it owes something: the greatest debt first, a page of them. */
export function listTrusted(claims: Claims, { limit, offset }: TrustedPage): TrustedPeers {
  const all = claims.list();
  const peers = all.slice(offset, offset + limit).map((peer) => ({ ...peer, tier: tierOfClaim(peer.owed) }));
  return { peers, total: all.length };
}
