import type { PeerView } from '../../../../src-preload/contract/mesh.ts';
import type { SortOrder } from '../../../components/page/sort-order.ts';

/** Which peers are shown: everybody, those that serve, or those that only ask. */
export const ROLE_CHOICES = ['all', 'miners', 'clients'] as const;
export type RoleChoice = (typeof ROLE_CHOICES)[number];

export interface PeerChoice {
  role: RoleChoice;
  /** Part of an id or of a model's name. */
  text: string;
}

export const EVERYBODY: PeerChoice = { role: 'all', text: '' };

export type SortKey = 'owes' | 'owed' | 'health' | 'rttMs' | 'queue';

export type PeerOrder = SortOrder<SortKey>;

export function isMiner({ sides }: PeerView): boolean {
  return sides.includes('worker');
}

export function choosePeers(peers: PeerView[], { role, text }: PeerChoice): PeerView[] {
  const wanted = text.trim().toLowerCase();
  return peers.filter(
    (peer) =>
      (role === 'all' || isMiner(peer) === (role === 'miners')) &&
      (peer.id.startsWith(wanted) || peer.models.some((model) => model.toLowerCase().includes(wanted))),
  );
}

/** Unknown figures come last either way; equals stand in the order of their ids, so that rows do not jump. */
export function sortPeers(peers: PeerView[], { key, descending }: PeerOrder): PeerView[] {
  return peers.toSorted((one, other) => {
    const [a, b] = [one[key], other[key]];
    if (a === b) return one.id < other.id ? -1 : 1;
    if (a === undefined) return 1;
    if (b === undefined) return -1;
    return descending ? b - a : a - b;
  });
}
