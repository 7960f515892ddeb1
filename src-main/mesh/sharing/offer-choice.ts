import type { WantedModel } from '../../models/wanted-model.ts';
import type { AnyOffer } from './messages.ts';
import { claimOf, type PeerOffer } from './offer-directory.ts';

/** What counts in the choice. */
export interface ChoiceGrounds {
  /** Ids of nodes (64 hex) whose word is enough for what a name stands for. */
  signers: ReadonlySet<string>;
  /** Claim of the file that was chosen before. */
  chosen: string | undefined;
  /** Claims of files that did not come when they were asked for, the longest ago first. */
  failed: ReadonlySet<string>;
}

/**
 * An offer of the file to fetch. With a SHA-256 anybody's will do: the hash of the whole file decides in the end. Without
 * one, only trusted signers say what the name stands for. Where they contradict each other, what failed goes last, and what
 * was chosen before is chosen again: another file would mean to begin anew. Then counts what more trusted signers say. Of a file
 * whose SHA-256 is known only one length is true: the shortest is tried first, so that a lie costs no more than the truth, and no
 * number of strangers can make it too long for the disk. Last counts what more peers have.
 */
export function chooseOffer(
  offers: readonly PeerOffer[],
  wanted: WantedModel,
  { signers, chosen, failed }: ChoiceGrounds,
): AnyOffer | undefined {
  const kind = wanted.adapter ? 'adapter-offer' : 'model-offer';
  const fits = ({ offer: { type, name, bytes, sha256, from } }: PeerOffer) => {
    if (wanted.bytes !== undefined && bytes !== wanted.bytes) return false;
    if (type !== kind) return false;
    if (wanted.sha256 !== undefined) return sha256 === wanted.sha256;
    return name === wanted.name && signers.has(from);
  };
  const failures = [...failed];
  const files = [...Map.groupBy(offers.filter(fits), ({ offer }) => claimOf(offer))].map(([claim, entries]) => ({
    offer: entries[0]?.offer,
    failure: failures.indexOf(claim),
    chosen: claim === chosen ? 1 : 0,
    trusted: new Set(entries.map(({ offer }) => offer.from).filter((from) => signers.has(from))).size,
    length: wanted.sha256 === undefined ? 0 : (entries[0]?.offer.bytes ?? 0),
    peers: new Set(entries.map(({ peer }) => peer)).size,
  }));
  const [best] = files.sort(
    (a, b) =>
      a.failure - b.failure || b.chosen - a.chosen || b.trusted - a.trusted || a.length - b.length || b.peers - a.peers,
  );
  return best?.offer;
}
