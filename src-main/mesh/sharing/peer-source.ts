import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PeerDiscovery } from 'hyperswarm';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type ByteRange, type ByteSource, SourceError, type SourceInfo } from '../../models/downloads/byte-source.ts';
import type { WantedModel } from '../../models/wanted-model.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { type AnyOffer, MODELS_NETWORK } from './messages.ts';
import { chooseOffer } from './offer-choice.ts';
import { claimOf, type OfferDirectory } from './offer-directory.ts';
import { RemoteFile, type RemoteFileTiming } from './remote-file.ts';

/** Milliseconds between two look-ups while nobody has the file. */
const SEARCH_MS = 1_000;

/** All in milliseconds. */
export interface PeerSourceTiming extends RemoteFileTiming {
  /** How long to look for somebody who has the file. Default 4,000: a web server may be waiting. */
  findMs: number;
}

export const DEFAULT_TIMING: PeerSourceTiming = {
  findMs: 4_000,
  stallMs: 30_000,
  peerStallMs: 20_000,
  lonelyMs: 8_000,
};

export interface PeerSourceOptions {
  wanted: WantedModel;
  /** Ids of nodes (64 hex) whose word is enough for what a model's name stands for. */
  signers: ReadonlySet<string>;
  swarm: MeshSwarm;
  directory: OfferDirectory;
  /** Folder in which the source may make one of its own, for as long as it is open. */
  scratch: string;
  timing: PeerSourceTiming;
}

/** A model file as the peers of the mesh have it, from as many of them at once as there are. */
export class PeerSource implements ByteSource {
  readonly name = 'peers';
  readonly kind = 'peers';
  /** Two, so that the next range is asked for before the last blocks of this one are here. */
  readonly parallel = 2;
  readonly #options: PeerSourceOptions;
  readonly #attachMore = () => this.#attach();
  /** Claims of files of which no byte came, the longest ago first. Each cost the time of a stall: they stay few. */
  readonly #failed = new Set<string>();
  /** The offers of which bytes came, by their claims, since the last {@link distrust}. */
  readonly #givers = new Map<string, AnyOffer>();
  #chosen: AnyOffer | undefined;
  /** Bytes came since the last {@link open}. */
  #gave = false;
  #file: RemoteFile | undefined;
  #meeting: { sha256: string; discovery: PeerDiscovery } | undefined;

  constructor(options: PeerSourceOptions) {
    this.#options = options;
  }

  /** @throws SourceError `lost` when nobody who may be believed has the file now */
  async open(signal: AbortSignal): Promise<SourceInfo> {
    const offer = await this.#find(signal);
    await this.#meet(offer.sha256);
    const same = this.#chosen && claimOf(this.#chosen) === claimOf(offer);
    // One that failed begins anew: the peers that were left alone in it may have come back to life.
    if (!this.#file || !same || this.#failed.has(claimOf(offer))) await this.#take(offer);
    this.#gave = false;
    this.#attach();
    return { bytes: offer.bytes, validator: offer.treeHash };
  }

  async *read(range: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const [file, chosen] = [this.#file, this.#chosen];
    if (!file || !chosen) throw new SourceError('lost', say('download.peer.notOpen'));
    try {
      for await (const chunk of file.read(range, signal)) {
        this.#gave = true;
        this.#failed.delete(claimOf(chosen));
        this.#givers.set(claimOf(chosen), chosen);
        yield chunk;
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.#blame(chosen, error);
      // Never «gone»: others may offer the true file.
      throw new SourceError('lost', wordsOf(error, 'message'), { cause: error });
    }
  }

  /**
   * Call it when every byte came from this source and the SHA-256 of the whole is another one: the peers that offered the
   * file are reported, and this file is not taken for that one any more. `open` then looks for another. Where bytes of several
   * files came, nobody knows which one is false: all of them are asked last.
   */
  distrust(): void {
    const givers = [...this.#givers.values()];
    this.#givers.clear();
    const [only] = givers;
    if (only && givers.length === 1) this.#options.directory.deny(only);
    else for (const offer of givers) this.#askLast(offer);
  }

  async close(): Promise<void> {
    this.#options.directory.off('change', this.#attachMore);
    const [file, meeting] = [this.#file, this.#meeting];
    this.#file = undefined;
    this.#meeting = undefined;
    await file?.close();
    if (meeting) await this.#options.swarm.part(meeting.discovery);
  }

  /** The best offer, as soon as there is one. */
  async #find(signal: AbortSignal): Promise<AnyOffer> {
    const { wanted, directory, timing } = this.#options;
    if (wanted.sha256) await this.#meet(wanted.sha256);
    const late = AbortSignal.any([signal, AbortSignal.timeout(timing.findMs)]);
    const search = setInterval(
      () => this.#meeting?.discovery.refresh().catch(ignoring('the next search comes soon')),
      SEARCH_MS,
    );
    try {
      for (;;) {
        const best = this.#best();
        if (best) return best;
        await once(directory, 'change', { signal: late });
      }
    } catch {
      signal.throwIfAborted();
      throw new SourceError('lost', say('download.peer.nobody'));
    } finally {
      clearInterval(search);
    }
  }

  #best(): AnyOffer | undefined {
    const { directory, wanted, signers } = this.#options;
    const chosen = this.#chosen && claimOf(this.#chosen);
    return chooseOffer(directory.list(), wanted, { signers, chosen, failed: this.#failed });
  }

  #blame(offer: AnyOffer, { reason }: SourceError): void {
    if (reason === 'gone') this.#options.directory.deny(offer);
    else if (!this.#gave) this.#askLast(offer);
  }

  #askLast(offer: AnyOffer): void {
    this.#failed.delete(claimOf(offer));
    this.#failed.add(claimOf(offer));
  }

  /** Goes where those are who have the file. */
  async #meet(sha256: string): Promise<void> {
    const { swarm } = this.#options;
    if (this.#meeting?.sha256 === sha256) return;
    if (this.#meeting) await swarm.part(this.#meeting.discovery);
    const discovery = swarm.meet(swarm.keys.topicOf(MODELS_NETWORK.name, sha256), { server: false, client: true });
    this.#meeting = { sha256, discovery };
  }

  async #take(offer: AnyOffer): Promise<void> {
    const { scratch, timing, directory, swarm } = this.#options;
    await this.#file?.close();
    this.#chosen = offer;
    this.#file = new RemoteFile({
      folder: join(scratch, randomBytes(8).toString('hex')),
      bytes: offer.bytes,
      treeHash: offer.treeHash,
      timing,
      onLiar: (connection) => swarm.offence(connection, 'false claim', { detail: 'a block of another file' }),
    });
    await this.#file.open();
    directory.off('change', this.#attachMore);
    directory.on('change', this.#attachMore);
  }

  /** Whoever offers the same file is asked too, also when it comes later. */
  #attach(): void {
    const chosen = this.#chosen && claimOf(this.#chosen);
    for (const { offer, peer } of this.#options.directory.list()) {
      if (claimOf(offer) === chosen) this.#file?.attach(peer.connection);
    }
  }
}
