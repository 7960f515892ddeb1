import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { OfferedAdapter } from '../../../src-preload/contract/learning-sharing.ts';
import type { offeredModelSchema } from '../../../src-preload/contract/models.ts';
import { isAuthentic } from '../transport/envelope.ts';
import type { Peer } from '../transport/peer.ts';
import type { AdapterOffer, AnyOffer, ModelsMessage, Offer } from './messages.ts';

/** Files that were found not to be what their offer said; the oldest are forgotten. */
const MAX_DENIED = 1_024;

/** An offer and who made it. The peer is there now. */
export interface PeerOffer<Kind extends AnyOffer = AnyOffer> {
  offer: Kind;
  peer: Peer<ModelsMessage>;
}

/** What an offer says is one and the same file, and for which model: all of it can only be true or false together. */
export function claimOf(offer: AnyOffer): string {
  const { sha256, treeHash, bytes } = offer;
  return [sha256, treeHash, bytes, ...('base' in offer ? [offer.base] : [])].join(' ');
}

/** What each message tells all of. */
const KINDS = { 'model-offers': 'model-offer', 'adapter-offers': 'adapter-offer' } as const;

/** What the peers that are here now share. Bounded by the connections and the offers that a message may hold. */
export class OfferDirectory extends EventEmitter<{ change: [] }> {
  readonly #byPeer = new Map<Peer<ModelsMessage>, AnyOffer[]>();
  readonly #denied = new LRUCache<string, true>({ max: MAX_DENIED });

  constructor() {
    super();
    this.setMaxListeners(0); // every download listens
  }

  /** Replaces what a peer offers of a kind. One that offers in another's name, or says two things of one file, is reported. */
  put(peer: Peer<ModelsMessage>, { type, offers }: Pick<ModelsMessage, 'type' | 'offers'>): void {
    const kind = KINDS[type];
    const earlier = this.#byPeer.get(peer) ?? [];
    const before = new Map(earlier.map((offer) => [offer.sig, offer]));
    const isKnown = (offer: AnyOffer) => isDeepStrictEqual(before.get(offer.sig), offer); // signatures cost the most
    if (offers.some((offer) => offer.seeder !== peer.id || !(isKnown(offer) || isAuthentic(offer)))) {
      peer.offend('wrong signature', kind);
      return;
    }
    const all = [...earlier.filter((offer) => offer.type !== kind), ...offers];
    if (isContradictory(all)) {
      peer.offend('false claim', kind);
      return;
    }
    this.#byPeer.set(peer, all);
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
  deny(lie: AnyOffer): void {
    const liars = this.list().filter(({ offer }) => claimOf(offer) === claimOf(lie));
    this.#denied.set(claimOf(lie), true);
    for (const peer of new Set(liars.map(({ peer }) => peer))) peer.offend('false claim', lie.type);
  }
}

/** Of a file there is one length and one tree: else a single peer could have each of its lies tried, one after the other. */
function isContradictory(offers: readonly AnyOffer[]): boolean {
  const shapes = new Set(offers.map(({ sha256, treeHash, bytes }) => `${sha256} ${treeHash} ${bytes}`));
  return shapes.size > new Set(offers.map(({ sha256 }) => sha256)).size;
}

export type PeerOfferedModel = Omit<z.infer<typeof offeredModelSchema>, 'inCatalogue'>;
export type PeerOfferedAdapter = Omit<OfferedAdapter, 'baseHere' | 'here'>;

/**
 * The models in these offers, each once, as a trusted signer describes it, if one does.
 * @param signers trusted ids of nodes, 64 hex
 */
export function offeredModels(offers: readonly PeerOffer[], signers: ReadonlySet<string>): PeerOfferedModel[] {
  const models = Map.groupBy(offers.filter(isOfModel), ({ offer }) => `${offer.sha256} ${offer.name} ${offer.bytes}`);
  return [...models.values()].flatMap((entries) => {
    const { described, ...who } = whoOffers(entries, signers);
    if (!described) return [];
    const { name, file, bytes, sha256, licence, quantisation, contextLength } = described;
    return [{ name, file, bytes, sha256, licence, quantisation, contextLength, ...who }];
  });
}

/** The versions of adapters in these offers, each once. @param signers trusted ids of nodes, 64 hex */
export function offeredAdapters(offers: readonly PeerOffer[], signers: ReadonlySet<string>): PeerOfferedAdapter[] {
  const versions = Map.groupBy(offers.filter(isOfAdapter), ({ offer }) =>
    [offer.sha256, offer.base, offer.name, offer.number, offer.bytes].join(' '),
  );
  return [...versions.values()].flatMap((entries) => {
    const { described, ...who } = whoOffers(entries, signers);
    if (!described) return [];
    const { name, number, bytes, sha256, base, baseName } = described;
    return [{ name, number, bytes, sha256, base, baseName, ...who }];
  });
}

function isOfModel(entry: PeerOffer): entry is PeerOffer<Offer> {
  return entry.offer.type === 'model-offer';
}

function isOfAdapter(entry: PeerOffer): entry is PeerOffer<AdapterOffer> {
  return entry.offer.type === 'adapter-offer';
}

/** Who makes the same offer, and the one whose words are told: a trusted signer's, if there is one. */
function whoOffers<Kind extends AnyOffer>(entries: readonly PeerOffer<Kind>[], signers: ReadonlySet<string>) {
  const vouched = entries.find(({ offer }) => signers.has(offer.from));
  return {
    described: (vouched ?? entries[0])?.offer,
    signers: [...new Set(entries.map(({ offer }) => offer.from))],
    trusted: vouched !== undefined,
    seeders: new Set(entries.map(({ peer }) => peer)).size,
  };
}
