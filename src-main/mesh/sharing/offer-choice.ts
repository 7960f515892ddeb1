import type { WantedModel } from '../../models/wanted-model.ts';
import type { PeerOffer } from './offer-directory.ts';

/** Whose word counts when only a name is wanted. */
export interface Trust {
  /** Ids of nodes, 64 hex. */
  signers: ReadonlySet<string>;
  /** The user said to take it from whoever offers it. */
  anyone: boolean;
}

/**
 * The offers from which a wanted model may be fetched, all of one and the same file. With a SHA-256 anybody's will do: the
 * hash of the whole file decides in the end. Without one, a trusted signer's word says what the name stands for. Where they
 * contradict each other, what more trusted signers say goes first, then what more peers have.
 */
export function chooseOffers(offers: readonly PeerOffer[], wanted: WantedModel, trust: Trust): PeerOffer[] {
  const vouched = ({ offer }: PeerOffer) => trust.signers.has(offer.from);
  const fits = (entry: PeerOffer) => {
    const { name, bytes, sha256 } = entry.offer;
    if (wanted.bytes !== undefined && bytes !== wanted.bytes) return false;
    if (wanted.sha256 !== undefined) return sha256 === wanted.sha256;
    return name === wanted.name && (trust.anyone || vouched(entry));
  };
  const files = Object.values(Object.groupBy(offers.filter(fits), ({ offer }) => fileOf(offer))) as PeerOffer[][];
  const [best = []] = files.sort((a, b) => b.filter(vouched).length - a.filter(vouched).length || b.length - a.length);
  return best;
}

function fileOf({ sha256, treeHash, bytes }: PeerOffer['offer']): string {
  return `${sha256} ${treeHash} ${bytes}`;
}
