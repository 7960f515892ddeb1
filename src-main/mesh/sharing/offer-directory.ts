import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { offeredModelSchema } from '../../../src-preload/contract/models.ts';
import { isAuthentic } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';
import type { ModelsMessage, Offer } from './messages.ts';

/** Files that were found not to be what their offer said; the oldest are forgotten. */
const MAX_DENIED = 1_024;

/** An offer and who made it. The peer is there now. */
export interface PeerOffer {
  offer: Offer;
  peer: Peer<ModelsMessage>;
}

/** What an offer says is one and the same file: all of it can only be true or false together. */
export function claimOf({ sha256, treeHash, bytes }: Offer): string {
  return `${sha256} ${treeHash} ${bytes}`;
}

/** What the peers that are here now share. Bounded by the connections and the offers that a message may hold. */
export class OfferDirectory extends EventEmitter<{ change: [] }> {
  readonly #byPeer = new Map<Peer<ModelsMessage>, Offer[]>();
  readonly #denied = new LRUCache<string, true>({ max: MAX_DENIED });

  constructor() {
    super();
    this.setMaxListeners(0); // every download listens
  }

  /** Replaces what a peer offers. One that offers in another's name is reported. */
  put(peer: Peer<ModelsMessage>, offers: Offer[]): void {
    const before = new Map(this.#byPeer.get(peer)?.map((offer) => [offer.sig, offer]));
    const isKnown = (offer: Offer) => isDeepStrictEqual(before.get(offer.sig), offer); // signatures cost the most
    if (offers.some((offer) => offer.seeder !== peer.id || !(isKnown(offer) || isAuthentic(offer)))) {
      peer.offend('wrong signature', 'model-offer');
      return;
    }
    this.#byPeer.set(peer, offers);
    this.emit('change');
  }

  drop(peer: Peer<ModelsMessage>): void {
    if (this.#byPeer.delete(peer)) this.emit('change');
  }

  /** Without what was found false. */
  list(): PeerOffer[] {
    const all = [...this.#byPeer].flatMap(([peer, offers]) => offers.map((offer) => ({ offer, peer })));
    return all.filter(({ offer }) => !this.#denied.has(claimOf(offer)));
  }

  /**
   * The file was read, and it is not what the offer says: who offers it now is reported, once. Offers of it that come later
   * are left out, which is enough: they cost nobody anything any more, and the peer's others may be true.
   */
  deny(lie: Offer): void {
    const liars = this.list().filter(({ offer }) => claimOf(offer) === claimOf(lie));
    this.#denied.set(claimOf(lie), true);
    for (const peer of new Set(liars.map(({ peer }) => peer))) peer.offend('false claim', 'model-offer');
  }
}

export type PeerOfferedModel = Omit<z.infer<typeof offeredModelSchema>, 'inCatalogue'>;

/**
 * The models in these offers, each once, as a trusted signer describes it, if one does.
 * @param signers trusted ids of nodes, 64 hex
 */
export function offeredModels(offers: readonly PeerOffer[], signers: ReadonlySet<string>): PeerOfferedModel[] {
  const models = Map.groupBy(offers, ({ offer }) => `${offer.sha256} ${offer.name} ${offer.bytes}`);
  return [...models.values()].flatMap((entries) => {
    const vouched = entries.find(({ offer }) => signers.has(offer.from));
    const described = vouched ?? entries[0];
    if (!described) return [];
    const { name, file, bytes, sha256, licence, quantisation, contextLength } = described.offer;
    return [
      {
        ...{ name, file, bytes, sha256, licence, quantisation, contextLength },
        signers: [...new Set(entries.map(({ offer }) => offer.from))],
        trusted: vouched !== undefined,
        seeders: new Set(entries.map(({ peer }) => peer)).size,
      },
    ];
  });
}
