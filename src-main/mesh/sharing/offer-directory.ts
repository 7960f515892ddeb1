import { EventEmitter } from 'node:events';
import { isAuthentic } from '../envelope.ts';
import type { Peer } from '../peer.ts';
import type { ModelsMessage, Offer } from './messages.ts';

/** Files that were found not to be what their offer said; the oldest are forgotten. */
const MAX_DENIED = 1_024;

/** An offer and who made it. The peer is there now. */
export interface PeerOffer {
  offer: Offer;
  peer: Peer<ModelsMessage>;
}

/** What the peers that are here now share. Bounded by the connections and the offers that a message may hold. */
export class OfferDirectory extends EventEmitter<{ change: [] }> {
  readonly #byPeer = new Map<Peer<ModelsMessage>, Offer[]>();
  readonly #denied = new Set<string>();

  constructor() {
    super();
    this.setMaxListeners(0); // every download listens
  }

  /** Replaces what a peer offers. One that offers in another's name, or what was found false, is reported. */
  put(peer: Peer<ModelsMessage>, offers: Offer[]): void {
    const forged = offers.some((offer) => offer.seeder !== peer.id || !isAuthentic(offer));
    const denied = offers.some((offer) => this.#denied.has(claim(offer)));
    if (forged || denied) {
      peer.offend(forged ? 'wrong signature' : 'false claim', 'model-offer');
      return;
    }
    this.#byPeer.set(peer, offers);
    this.emit('change');
  }

  drop(peer: Peer<ModelsMessage>): void {
    if (this.#byPeer.delete(peer)) this.emit('change');
  }

  list(): PeerOffer[] {
    return [...this.#byPeer].flatMap(([peer, offers]) => offers.map((offer) => ({ offer, peer })));
  }

  /** The whole file was read, and its SHA-256 is another: who offers it as that one lies, now and later. */
  deny(lie: Pick<Offer, 'sha256' | 'treeHash'>): void {
    const [oldest] = this.#denied;
    if (this.#denied.size >= MAX_DENIED && oldest !== undefined) this.#denied.delete(oldest);
    this.#denied.add(claim(lie));
    const liars = [...this.#byPeer].filter(([, offers]) => offers.some((offer) => claim(offer) === claim(lie)));
    for (const [peer] of liars) peer.offend('false claim', 'model-offer');
  }
}

function claim({ sha256, treeHash }: Pick<Offer, 'sha256' | 'treeHash'>): string {
  return `${sha256} ${treeHash}`;
}
