import { link, rm, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { sharedModelSchema } from '../../../src-preload/contract/models.ts';
import { told, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Connection } from '../transport/connection.ts';
import type { EvidenceBody } from '../transport/envelope.ts';
import type { AdapterOffer, Offer } from './messages.ts';
import { adapterWords, offerWords } from './offer-words.ts';
import { heldFile, isAdapterNote, type ShareNote, writeShareNote } from './share-note.ts';
import { SharedFile } from './shared-file.ts';
import type { UploadGate } from './upload-gate.ts';

export type SharedModel = z.infer<typeof sharedModelSchema>;
/** An offer before it is signed. */
type OfferBody =
  | (EvidenceBody<Offer> & { type: 'model-offer' })
  | (EvidenceBody<AdapterOffer> & { type: 'adapter-offer' });

/** One file that this node shares. */
export class Share {
  readonly note: ShareNote;
  readonly #folder: string;
  readonly #gate: UploadGate;
  readonly #stop = new AbortController();
  #prepared = 0;
  #uploadedBytes = 0;
  #file: SharedFile | undefined;
  #problem: Words | undefined;
  #opening: Promise<void> = Promise.resolve();

  /** @param options.folder its own; link, index and note are kept there */
  constructor(options: { folder: string; note: ShareNote; gate: UploadGate }) {
    this.#folder = options.folder;
    this.note = options.note;
    this.#gate = options.gate;
  }

  /** Prepares what is missing, and is ready to serve then. What goes wrong is told by `status`. Never throws. */
  open(): Promise<void> {
    this.#opening = this.#open().catch((error: Error) => {
      this.#problem = wordsOf(QuarryError.from(error), 'message');
    });
    return this.#opening;
  }

  /** Lets a peer replicate the file from now on; nothing is sent before it asks. */
  serve({ mux }: Connection): void {
    const core = this.#file?.core;
    if (!core) return;
    mux.pair({ protocol: 'hypercore/alpha', id: core.discoveryKey }, () => {
      if (!core.closed) core.replicate(mux);
    });
  }

  /** What this node says of it; undefined as long as it is not ready. */
  offer(seeder: string): OfferBody | undefined {
    if (!this.#file) return undefined;
    const { bytes, sha256 } = this.note;
    const file = { seeder, bytes, sha256, treeHash: this.#file.treeHash };
    if (isAdapterNote(this.note)) return { type: 'adapter-offer', ...file, ...adapterWords(this.note) };
    return { type: 'model-offer', ...file, ...offerWords(this.note) };
  }

  status(): SharedModel {
    const { sha256, bytes } = this.note;
    const problem = this.#problem;
    return {
      name: isAdapterNote(this.note) ? `${this.note.name}@${this.note.adapter.number}` : this.note.name,
      sha256,
      bytes,
      state: this.#file ? 'shared' : problem ? 'failed' : 'preparing',
      prepared: this.#file ? 1 : this.#prepared / bytes,
      peers: this.#file?.core.peers.length ?? 0,
      uploadedBytes: this.#uploadedBytes,
      problem: null,
      ...(problem !== undefined && told({ problem })),
    };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#opening;
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Ends it for good. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    const path = await this.#hold();
    const { mtimeMs, size } = await stat(path);
    const { bytes, index } = this.note;
    const known = index?.modifiedMs === mtimeMs && size === bytes ? index.treeHash : undefined;
    const file = known
      ? await this.#load(path, known).catch(ignoring('an index that does not fit is made anew'))
      : undefined;
    this.#serveFrom(file ?? (await this.#prepare(path, mtimeMs)));
  }

  /** A hard link, where the drive allows, keeps the file as long as it is shared. @returns the path to read from */
  async #hold(): Promise<string> {
    const held = heldFile(this.#folder);
    await link(this.note.path, held).catch(ignoring('it is linked already, or the drive knows no links'));
    return await stat(held).then(
      () => held,
      () => this.note.path,
    );
  }

  /** An index that is damaged is built anew: the file is the truth. */
  async #prepare(path: string, modifiedMs: number): Promise<SharedFile> {
    const { bytes, sha256 } = this.note;
    const onProgress = (done: number) => {
      this.#prepared = done;
    };
    const signal = this.#stop.signal;
    const treeHash = await SharedFile.build({ folder: this.#folder, path, bytes, sha256, onProgress, signal });
    this.note.index = { treeHash, modifiedMs };
    await writeShareNote(this.#folder, this.note);
    return await this.#load(path, treeHash);
  }

  async #load(path: string, treeHash: string): Promise<SharedFile> {
    return await SharedFile.open({ folder: this.#folder, path, bytes: this.note.bytes, treeHash });
  }

  #serveFrom(file: SharedFile): void {
    this.#gate.guard(file.core);
    file.core.on('upload', (_index, bytes) => {
      this.#uploadedBytes += bytes;
    });
    this.#file = file;
  }
}
