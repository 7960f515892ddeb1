import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeerDiscovery } from 'hyperswarm';
import type { Logger } from 'pino';
import type { Sharing } from '../../../src-preload/contract/models.ts';
import { makeFolder } from '../../base/folder.ts';
import { ignoring } from '../../base/swallowed.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import { Turns } from '../../base/turns.ts';
import type { WantedModel } from '../../models/wanted-model.ts';
import { PROTOCOL_VERSION, signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { ADAPTERS_CAP, type AnyOffer, MAX_OFFERS, MODELS_NETWORK, type ModelsMessage } from './messages.ts';
import {
  OfferDirectory,
  offeredAdapters,
  offeredModels,
  type PeerOfferedAdapter,
  type PeerOfferedModel,
} from './offer-directory.ts';
import { DEFAULT_TIMING, PeerSource, type PeerSourceTiming } from './peer-source.ts';
import { Share, type SharedModel } from './share.ts';
import {
  type AdapterNote,
  isAdapterNote,
  type ModelNote,
  readShareNote,
  type ShareNote,
  sharesFolder,
  writeShareNote,
} from './share-note.ts';
import { notShared, overDiskLimit, sharedAlready, tooManyShared } from './sharing-problems.ts';
import { UploadGate } from './upload-gate.ts';

/** Messages that a peer may send on average per second, and at once; further ones are ignored. */
const MESSAGES_PER_SECOND = 0.5;
const MESSAGE_BURST = 8;
/** Folder for downloads under way, beside those of the shared models. */
const SCRATCH = 'fetching';

/** A model of the library, to be shared. */
export type ModelToShare = Omit<ModelNote, 'index'>;
/** A version of an adapter, to be shared. */
export type AdapterToShare = Omit<AdapterNote, 'index'>;

export interface ModelSharingOptions {
  /** The models network on its own swarm, not open yet; it opens and closes with this. */
  network: MeshNetwork<ModelsMessage>;
  /** The node's main identity: it signs the offers. */
  identity: Identity;
  /** What is shared is remembered in a folder of it. */
  dataDir: string;
  /** Bytes per second, all peers together; null: no cap. */
  uploadLimit: number | null;
  /** Bytes that shared files may hold on disk; null: no cap. */
  diskLimit: number | null;
  /** Ids of nodes (64 hex) whose word is enough for what a model's name stands for. */
  trustedSigners: readonly string[];
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  timing?: Partial<PeerSourceTiming>;
  log: Logger;
}

/** The models network, for who shares and fetches. */
export interface SharingNetwork {
  readonly sharing: ModelSharing;
  /** Resolves when the first look-up of others is done. */
  discovered(): Promise<void>;
}

/**
 * This node's part in the models network: it offers the models and versions of adapters that it shares, serves them, knows what others offer, and
 * fetches from them. A resource.
 */
export class ModelSharing {
  readonly #options: ModelSharingOptions;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #gate: UploadGate;
  readonly #directory = new OfferDirectory();
  /** What each peer may say, whether or not it connects anew. */
  readonly #budgets = new BucketMap();
  readonly #signers: ReadonlySet<string>;
  readonly #shares = new Map<string, Share>();
  readonly #announced = new Map<Share, { offer: AnyOffer; discovery: PeerDiscovery }>();
  /** Files are prepared one after the other: each reads as fast as the disk gives. */
  readonly #preparing = new Turns();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ModelSharingOptions) {
    this.#options = options;
    this.#folder = sharesFolder(options.dataDir);
    this.#now = options.now ?? Date.now;
    this.#gate = new UploadGate(options.uploadLimit);
    this.#signers = new Set(options.trustedSigners);
  }

  /** Joins the network; what was shared before is shared again, as soon as it is ready. Idempotent. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Leaves the network; what is being prepared is begun anew next time. Close the sources first. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Offers a model, or a version of an adapter, to others, once its file was read and its SHA-256 found right; `status` tells how far that is. A model
   * that is shared already is left as it is, one that failed is tried again.
   * @throws DISK_FULL when shared files would hold more than the cap; BAD_REQUEST when there are too many, or the file is
   *   shared under another name
   */
  async share(model: ModelToShare | AdapterToShare): Promise<void> {
    const known = this.#shares.get(model.sha256);
    if (known && known.status().state !== 'failed') {
      if (known.note.name !== model.name) throw sharedAlready(model.name, known.note.name);
      return;
    }
    await this.forget(model.sha256);
    this.#checkRoom(model);
    const folder = join(this.#folder, model.sha256);
    await makeFolder(folder);
    await writeShareNote(folder, model);
    this.#add(folder, { ...model });
  }

  /**
   * Ends it: nothing more is sent, and what it took on disk is given back.
   * @throws MODEL_NOT_FOUND when no model of that name is shared
   */
  async unshare(name: string): Promise<void> {
    const { models } = this.status();
    const found = models.find((model) => model.name === name);
    if (!found) throw notShared(name, models);
    await this.forget(found.sha256);
  }

  /** As {@link unshare}, for the file with this SHA-256 (64 hex). Nothing happens if it is not shared. */
  async forget(sha256: string): Promise<void> {
    const share = this.#shares.get(sha256);
    if (!share) return;
    this.#shares.delete(sha256);
    const announced = this.#announced.get(share);
    this.#announced.delete(share);
    await share.remove();
    this.#tellAll(share);
    if (announced) await this.#options.network.swarm.part(announced.discovery);
  }

  /** Caps all uploads together from now on. @param bytesPerSecond null takes the cap away */
  limit(bytesPerSecond: number | null): void {
    this.#gate.limit(bytesPerSecond);
  }

  status(): Omit<Sharing, 'seed'> {
    const shares = [...this.#shares.values()];
    const diskUsed = shares.reduce((sum, { note }) => sum + note.bytes, 0);
    const told = (isVersion: boolean) =>
      shares.filter(({ note }) => isAdapterNote(note) === isVersion).map((share) => share.status());
    const limits = { uploadLimit: this.#gate.bytesPerSecond, diskLimit: this.#options.diskLimit };
    return { ...limits, diskUsed, models: told(false), versions: told(true) };
  }

  /** How the sharing of a file stands; undefined for one that is not shared. @param sha256 64 hex */
  statusOf(sha256: string): SharedModel | undefined {
    return this.#shares.get(sha256)?.status();
  }

  /** How many nodes of the network are in reach. */
  get peers(): number {
    return this.#options.network.peers.size;
  }

  /** What the peers in reach share, by file. */
  offers(): PeerOfferedModel[] {
    return offeredModels(this.#directory.list(), this.#signers);
  }

  /** Whether a node's word is enough. @param signer its id, 64 hex */
  trusts(signer: string): boolean {
    return this.#signers.has(signer);
  }

  /** The versions of adapters that they share, by file and model. */
  adapterOffers(): PeerOfferedAdapter[] {
    return offeredAdapters(this.#directory.list(), this.#signers);
  }

  /** A file that was offered as an adapter of a model, and fetched as it is, is none: whoever offers it as that is reported, and it is offered no more. */
  denyAdapter(sha256: string, base: string): void {
    const lies = this.#directory
      .list()
      .filter(({ offer }) => 'base' in offer && offer.sha256 === sha256 && offer.base === base);
    for (const { offer } of lies) this.#directory.deny(offer);
  }

  /**
   * The peers as a source of a model, or of a version of an adapter. With a SHA-256, whoever offers that file; without one, trusted signers' word counts.
   * The caller closes it.
   */
  source(wanted: WantedModel): PeerSource {
    return new PeerSource({
      wanted,
      signers: this.#signers,
      swarm: this.#options.network.swarm,
      directory: this.#directory,
      scratch: join(this.#folder, SCRATCH),
      timing: { ...DEFAULT_TIMING, ...this.#options.timing },
    });
  }

  async #open(): Promise<void> {
    const { network } = this.#options;
    await rm(join(this.#folder, SCRATCH), { recursive: true, force: true });
    await makeFolder(join(this.#folder, SCRATCH));
    network.follow(
      (peer) => this.#welcome(peer),
      (peer) => this.#directory.drop(peer),
    );
    await network.open();
    const names = await readdir(this.#folder);
    for (const name of names) if (name !== SCRATCH) await this.#resume(join(this.#folder, name));
  }

  /** A folder without a note is what a killed process left. One whose note cannot be read now may be whole the next time. */
  async #resume(folder: string): Promise<void> {
    try {
      const note = await readShareNote(folder);
      if (note) this.#add(folder, note);
      else await rm(folder, { recursive: true, force: true });
    } catch (err) {
      this.#options.log.warn(
        { err, folder },
        'what is remembered of a shared model cannot be read: it is not shared now',
      );
    }
  }

  async #close(): Promise<void> {
    await this.#opening?.catch(ignoring('whoever opened it was told'));
    this.#gate.close();
    await this.#options.network.close();
    await Promise.all([...this.#shares.values()].map((share) => share.close()));
    await this.#preparing.ended();
    const { swarm } = this.#options.network;
    await Promise.all([...this.#announced.values()].map(({ discovery }) => swarm.part(discovery)));
  }

  #checkRoom(model: ModelToShare | AdapterToShare): void {
    const { name, bytes } = model;
    const { diskLimit } = this.#options;
    const over = diskLimit === null ? 0 : this.status().diskUsed + bytes - diskLimit;
    if (over > 0) throw overDiskLimit(name, over);
    const alike = [...this.#shares.values()].filter(({ note }) => isAdapterNote(note) === isAdapterNote(model));
    if (alike.length >= MAX_OFFERS) throw tooManyShared();
  }

  #add(folder: string, note: ShareNote): void {
    const share = new Share({ folder, note, gate: this.#gate });
    this.#shares.set(note.sha256, share);
    void this.#preparing.take(async () => {
      if (this.#closing || this.#shares.get(note.sha256) !== share) return;
      await share.open();
      this.#announce(share);
    });
  }

  #announce(share: Share): void {
    const { network, identity, log } = this.#options;
    const { swarm, peers } = network;
    if (this.#closing || this.#shares.get(share.note.sha256) !== share) return;
    const body = share.offer(swarm.identity.id);
    if (!body) {
      log.warn({ model: share.note.name, problem: share.status().problem }, 'the model is not shared');
      return;
    }
    const discovery = swarm.meet(swarm.keys.topicOf(MODELS_NETWORK.name, share.note.sha256), {
      server: true,
      client: false,
    });
    this.#announced.set(share, { offer: signEvidence<AnyOffer>(body, identity, this.#now()), discovery });
    for (const peer of peers.values()) share.serve(peer.connection);
    this.#tellAll(share);
  }

  #welcome(peer: Peer<ModelsMessage>): void {
    peer.onMessage((message) => {
      const now = this.#now();
      const budget = this.#budgets.get(peer.id, MESSAGES_PER_SECOND, MESSAGE_BURST, now);
      if (budget?.take(1, now)) this.#directory.put(peer, message);
    });
    for (const share of this.#announced.keys()) share.serve(peer.connection);
    const { models, adapters } = this.#offered();
    if (models.length > 0) this.#tellModels(peer);
    if (adapters.length > 0) this.#tellAdapters(peer);
  }

  /** What is offered now of the kind of a share: it has come, or gone. */
  #tellAll({ note }: Share): void {
    for (const peer of this.#options.network.peers.values()) {
      if (isAdapterNote(note)) this.#tellAdapters(peer);
      else this.#tellModels(peer);
    }
  }

  #tellModels(peer: Peer<ModelsMessage>): void {
    peer.send({ v: PROTOCOL_VERSION, type: 'model-offers', offers: this.#offered().models });
  }

  #tellAdapters(peer: Peer<ModelsMessage>): void {
    if (!peer.hello.caps.includes(ADAPTERS_CAP)) return; // it would take them for an offence
    peer.send({ v: PROTOCOL_VERSION, type: 'adapter-offers', offers: this.#offered().adapters });
  }

  #offered() {
    const offers = [...this.#announced.values()].map(({ offer }) => offer);
    return {
      models: offers.filter((offer) => offer.type === 'model-offer'),
      adapters: offers.filter((offer) => offer.type === 'adapter-offer'),
    };
  }
}
