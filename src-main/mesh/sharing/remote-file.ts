import { rm } from 'node:fs/promises';
import type Hypercore from 'hypercore';
import type { CorePeer } from 'hypercore';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type ByteRange, SourceError } from '../../models/downloads/byte-source.ts';
import type { Connection } from '../transport/connection.ts';
import { CoreStore } from '../transport/core-store.ts';
import { BLOCK_BYTES, blockLength, blocksOf, fileManifest, keepBlocksIn } from './file-core.ts';

/** Blocks that one peer is asked for at once: 2 MiB, well under what one encrypted message may hold. */
const PER_PEER: [number, number] = [16, 24];
/**
 * Blocks of one range that are asked for ahead, for each peer, and at most: 4 and 16 MiB. Hypercore asks in random order, so
 * more would delay the first one; with fewer, idle peers ask for what others were asked for already.
 */
const WINDOW_PER_PEER = 32;
const MAX_WINDOW = 128;
/** So many blocks are read before they are forgotten together: each time costs a write of the bitfield. */
const FORGET_EVERY = 32;

/** All in milliseconds. */
export interface RemoteFileTiming {
  /** Without a single block for so long, the file counts as lost. */
  stallMs: number;
  /** A peer that was asked and sends nothing for so long is left alone. */
  peerStallMs: number;
  /** So long we wait for another peer when the last one is gone. */
  lonelyMs: number;
}

/**
 * A file that others have, read over their connections. Its blocks pass through memory only; every one was checked against
 * the tree that the core's key seals. A resource.
 */
export class RemoteFile {
  readonly #folder: string;
  readonly #bytes: number;
  readonly #treeHash: string;
  readonly #timing: RemoteFileTiming;
  readonly #onLiar: (connection: Connection) => void;
  readonly #store: CoreStore;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #connections = new Map<unknown, Connection>();
  readonly #heardAt = new Map<CorePeer, number>();
  readonly #shunned = new Set<string>();
  #core: Hypercore | undefined;
  #heard = 0;
  #reading = 0;

  /**
   * @param options.folder scratch; removed at the end
   * @param options.onLiar a peer sent a block that is not of this file
   */
  constructor(options: {
    folder: string;
    bytes: number;
    treeHash: string;
    timing: RemoteFileTiming;
    onLiar: (connection: Connection) => void;
  }) {
    this.#folder = options.folder;
    this.#bytes = options.bytes;
    this.#treeHash = options.treeHash;
    this.#timing = options.timing;
    this.#onLiar = options.onLiar;
    this.#store = new CoreStore(options.folder);
  }

  async open(): Promise<void> {
    const manifest = fileManifest(this.#treeHash, this.#bytes);
    const core = this.#store.get({ manifest, inflightRange: PER_PEER });
    await core.ready();
    keepBlocksIn(
      {
        get: async (index) => this.#blocks.get(index) ?? null,
        put: (index, block) => this.#blocks.set(index, block),
      },
      core,
    );
    core.on('peer-add', (peer) => this.#heardAt.set(peer, performance.now()));
    core.on('peer-remove', (peer) => this.#heardAt.delete(peer));
    core.on('download', (_index, _bytes, peer) => {
      this.#heard = performance.now();
      this.#heardAt.set(peer, this.#heard);
    });
    core.on('verification-error', (_error, _request, _answer, peer) => this.#caught(peer));
    this.#core = core;
  }

  /** Asks this peer too. */
  attach(connection: Connection): void {
    if (!this.#core || this.#shunned.has(connection.id) || this.#connections.has(connection.mux)) return;
    this.#connections.set(connection.mux, connection);
    connection.stream.once('close', () => this.#connections.delete(connection.mux));
    this.#core.replicate(connection.mux);
  }

  /**
   * The bytes of a range, in order, as far as the file goes.
   * @throws SourceError `lost` when they do not come; `gone` when what the peers have cannot be the file
   */
  async *read({ start, end }: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (!this.#core) throw new SourceError('lost', say('download.closed'));
    const core = this.#core.session();
    const first = Math.floor(start / BLOCK_BYTES);
    const last = blocksOf(Math.min(end, this.#bytes));
    const ahead: Promise<Buffer | null>[] = [];
    let kept = first;
    const lost = this.#watch();
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason);
    signal.addEventListener('abort', stop);
    const failed = Promise.race([lost.failed, stopped.promise]);
    failed.catch(ignoring('heard in the races below, or no longer of interest'));
    try {
      for (let index = first; index < last; index++) {
        // Blocks that are here already would win the race below.
        signal.throwIfAborted();
        if (!this.#core) throw new SourceError('lost', say('download.closed'));
        const window = Math.min(MAX_WINDOW, WINDOW_PER_PEER * Math.max(1, this.#heardAt.size));
        while (ahead.length < window && index + ahead.length < last) {
          ahead.push(this.#fetch(core, index + ahead.length));
        }
        const block = await Promise.race([ahead[0], failed]);
        ahead.shift();
        if (!block) throw new SourceError('lost', say('download.peer.forgotten'));
        if (block.length !== blockLength(index, this.#bytes)) throw new SourceError('gone', say('download.peer.unfit'));
        const offset = index * BLOCK_BYTES;
        yield block.subarray(Math.max(0, start - offset), Math.min(block.length, end - offset));
        if (index - kept < FORGET_EVERY) continue;
        await this.#forget(kept, index);
        kept = index;
      }
    } catch (error) {
      if (signal.aborted || error instanceof SourceError) throw error;
      throw new SourceError('lost', say('download.peer.coreClosed'), { cause: error });
    } finally {
      signal.removeEventListener('abort', stop);
      lost.end();
      await core.close();
      await this.#forget(kept, last);
    }
  }

  /** Ends every read. Idempotent. */
  async close(): Promise<void> {
    this.#core = undefined;
    this.#blocks.clear();
    await this.#store.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #fetch(core: Hypercore, index: number): Promise<Buffer | null> {
    const block: Promise<Buffer | null> = core.get(index, { valueEncoding: 'binary' });
    block.catch(ignoring('whoever waits for an earlier block sees this one’s failure in its turn, or never'));
    return block;
  }

  /** Blocks that were read leave memory, and the core knows that it does not have them. */
  async #forget(first: number, last: number): Promise<void> {
    const read = new Map<number, Uint8Array | undefined>();
    for (let index = first; index < last; index++) read.set(index, this.#blocks.get(index));
    await this.#core?.clear(first, last);
    // Another read may have fetched one again meanwhile: the core has that one.
    for (const [index, block] of read) if (this.#blocks.get(index) === block) this.#blocks.delete(index);
  }

  /** Looks after the peers as long as somebody reads. */
  #watch(): { failed: Promise<never>; end: () => void } {
    const { stallMs, lonelyMs } = this.#timing;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(ignoring('heard by whoever reads, while somebody does'));
    this.#heard = performance.now();
    if (this.#reading++ === 0) for (const peer of this.#heardAt.keys()) this.#heardAt.set(peer, this.#heard);
    const everyMs = Math.min(500, lonelyMs / 2);
    let looked = this.#heard;
    const timer = setInterval(() => {
      const now = performance.now();
      this.#excuse(now - looked - everyMs, now);
      looked = now;
      this.#shunStalled();
      const silent = now - this.#heard;
      if (this.#heardAt.size === 0 && silent > lonelyMs)
        reject(new SourceError('lost', say('download.peer.nobodyHasIt')));
      else if (silent > stallMs) reject(new SourceError('lost', say('download.peer.standStill')));
    }, everyMs);
    const end = () => {
      this.#reading--;
      clearInterval(timer);
    };
    return { failed: promise, end };
  }

  /** Time in which this process stood still, because the computer slept or was busy, is nobody's silence. */
  #excuse(lateMs: number, now: number): void {
    if (lateMs <= 0) return;
    this.#heard = Math.min(now, this.#heard + lateMs);
    for (const [peer, heardAt] of this.#heardAt) this.#heardAt.set(peer, Math.min(now, heardAt + lateMs));
  }

  #shunStalled(): void {
    for (const [peer, heardAt] of this.#heardAt) {
      if (peer.inflight === 0) this.#heardAt.set(peer, performance.now());
      else if (performance.now() - heardAt > this.#timing.peerStallMs) this.#shun(peer)?.close('sends nothing');
    }
  }

  #caught(peer: CorePeer): void {
    const connection = this.#shun(peer);
    if (connection) this.#onLiar(connection);
  }

  #shun(peer: CorePeer): Connection | undefined {
    const connection = this.#connections.get(peer.protomux);
    if (connection) this.#shunned.add(connection.id);
    return connection;
  }
}
