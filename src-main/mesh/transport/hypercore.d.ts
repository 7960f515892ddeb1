/** The parts of Hypercore, Corestore and Hyperbee that score logs and shared files use; they ship without types. */

declare module 'hypercore' {
  import type { EventEmitter } from 'node:events';
  import type Protomux from 'protomux';

  /** What a core's key is the hash of. One without signers is complete from the start: the prologue seals it. */
  export interface Manifest {
    version: 1;
    quorum: 0;
    signers: [];
    prologue: { hash: Uint8Array; length: number };
  }
  export interface BlockRequest {
    id: number;
    /** Absent from requests for other things: hashes, the manifest. */
    block: { index: number } | null;
  }
  /** The other end of one core's replication over one connection. */
  export interface CorePeer {
    readonly protomux: Protomux;
    /** Requests that this side waits for. */
    readonly inflight: number;
    onrequest(request: BlockRequest): Promise<void>;
    oncancel(cancel: { request: number }): void;
    ondrain(): Promise<void>;
  }
  /** A core's part of the database. What is written comes into force with the transaction. */
  export interface CoreStorage {
    read(fork?: number): { getBlock(index: number): Promise<Uint8Array | null> };
    write(): { putBlock(index: number, block: Uint8Array): void };
  }
  /** Where the cores of a store lie: a RocksDB in a folder. */
  export interface Storage {
    readonly path: string;
  }
  export default class Hypercore extends EventEmitter {
    static key(manifest: Manifest): Buffer;
    /** @param options.writeBufferSize bytes that are held in memory before they are written out. Default 64 MiB */
    static defaultStorage(folder: string, options?: { writeBufferSize?: number }): Storage;
    readonly discoveryKey: Buffer;
    readonly peers: readonly CorePeer[];
    /** Below the public interface. */
    readonly core: {
      readonly storage: CoreStorage;
      readonly bitfield: {
        /** How many of the blocks from `start` on are here. */
        countSet(start: number, length: number): number;
      };
    };
    append(blocks: Uint8Array[]): Promise<unknown>;
    /** Whether a block is here. */
    has(index: number): Promise<boolean>;
    /** Forgets blocks `start` up to but not including `end`; they can be fetched again. */
    clear(start: number, end: number): Promise<unknown>;
    /** The same core; its `close` ends its own waits only. */
    session(): Hypercore;
    replicate(mux: Protomux): unknown;
    download(range: { start: number; end: number }): { done(): Promise<void> };
    on(event: 'peer-add' | 'peer-remove', listener: (peer: CorePeer) => void): this;
    on(event: 'upload' | 'download', listener: (index: number, bytes: number, peer: CorePeer) => void): this;
    on(event: 'conflict', listener: () => void): this;
    on(
      event: 'verification-error',
      listener: (error: Error, request: unknown, answer: unknown, peer: CorePeer) => void,
    ): this;
    readonly key: Buffer;
    readonly length: number;
    /** Bytes of all blocks, those not here included. */
    readonly byteLength: number;
    /** How often the log was truncated: 0 for one that was only ever appended to. */
    readonly fork: number;
    readonly closed: boolean;
    /** Set from the moment on that it is being closed. */
    readonly closing: Promise<void> | null;
    ready(): Promise<void>;
    /** Hears from the peers how long the log is, and which of its versions counts. @returns whether there was news */
    update(): Promise<boolean>;
    /** Waits for a block that is not here yet; rejects after `timeout` milliseconds. */
    get(index: number, options: { timeout?: number; valueEncoding: 'binary' }): Promise<Buffer>;
    /** Root hash of the Merkle tree over the first `length` blocks. */
    treeHash(length?: number): Promise<Buffer>;
    close(): Promise<void>;
  }
}

declare module 'rache' {
  /** A cache with a bound, whose parts share it. */
  export default class Rache {
    constructor(options?: { maxSize?: number });
    readonly globalSize: number;
  }
}

declare module 'corestore' {
  import type { NoiseStream } from '@hyperswarm/secret-stream';
  import type Hypercore from 'hypercore';
  import type { Manifest, Storage } from 'hypercore';
  import type { KeyPair } from 'hypercore-crypto';
  import type Protomux from 'protomux';
  import type Rache from 'rache';

  /** A core that is open, whoever uses it. */
  export interface OpenCore {
    readonly id: string;
    readonly replicator: {
      eagerUpgrade: boolean;
      /** Below the public interface: gives whoever waits for a block what is here by now. */
      _resolveBlocksLocally(): Promise<void>;
    };
    /** Whether somebody has it who has not closed it. One that is being opened does not count yet. */
    hasSession(): boolean;
    close(): Promise<void>;
  }
  /** Where a core lies in the database. */
  interface Place {
    readonly corePointer: number;
    readonly dataPointer: number;
  }
  interface StoredInfo {
    readonly core: Place;
    readonly auth: { readonly key: Buffer } | null;
    /** Null as long as nothing of it has come. */
    readonly head: { readonly length: number } | null;
  }
  /** A core in the database, without opening it. */
  interface StoredCore {
    readonly core: Place;
    write(): { setSessions(sessions: { name: string; dataPointer: number }[]): void; flush(): Promise<unknown> };
    close(): Promise<void>;
  }
  export interface CoreOptions {
    key?: Uint8Array;
  }
  export default class Corestore {
    /** @param options.globalCache what all trees of the store share */
    constructor(storage: string | Storage, options?: { globalCache?: Rache });
    ready(): Promise<void>;
    /** Is told of each core at the moment it is opened, by whomever. `eagerUpgrade`: it asks for what is new by itself. */
    watch(told: (core: OpenCore) => void): void;
    /** Discovery keys of all cores that are here. */
    list(): AsyncIterable<Buffer>;
    /** Below the public interface: who has a core, or is about to. */
    readonly sessions: { list(id: string): readonly unknown[] };
    /** Below the public interface: cores that are open, whoever uses them. */
    readonly cores: { resume(discoveryKeyHex: string): OpenCore | null; gc(core: OpenCore): void };
    /** Below the public interface. */
    readonly storage: {
      readonly path: string;
      /** Gives the disk back what was cleared. */
      compact(): Promise<void>;
      /** Writes out what is in memory and in the log before it. */
      readonly db: { flush(): Promise<void> };
      /** What is known of some cores, without opening them; null for one that is not here. */
      getInfos(discoveryKeys: Uint8Array[], options: { hints: false }): Promise<(StoredInfo | null)[]>;
      resumeCore(discoveryKey: Uint8Array): Promise<StoredCore | null>;
      /** Forgets a core, and the places of its named sessions. */
      deleteCore(place: Place): Promise<void>;
    };
    /** Below the public interface. */
    protected _openCore(discoveryKey: Uint8Array | null, options: CoreOptions): OpenCore;
    /** Below the public interface. */
    protected _attachMaybe(mux: Protomux, discoveryKey: Uint8Array): Promise<void>;
    get(
      options:
        | { key: Uint8Array }
        | { discoveryKey: Uint8Array }
        | { keyPair: KeyPair }
        | { name: string }
        /** `inflightRange`: fewest and most blocks that one peer is asked for at once. */
        | { manifest: Manifest; inflightRange: [number, number] },
    ): Hypercore;
    /** A core without signers that has what this one has; both share one place on disk. */
    staticify(core: Hypercore): Promise<Hypercore>;
    /** Exchanges the logs that both sides know over a connection, beside its other channels. */
    replicate(stream: NoiseStream): unknown;
    /** The same over a stream that it makes; `isInitiator`: one side is, the other is not. */
    replicate(isInitiator: boolean): unknown;
    close(): Promise<void>;
  }
}

declare module 'hyperbee' {
  import type Hypercore from 'hypercore';

  export default class Hyperbee {
    constructor(core: Hypercore, options: { keyEncoding: 'utf-8'; valueEncoding: 'json' });
    ready(): Promise<void>;
    put(key: string, value: unknown): Promise<void>;
    /** The entry in one block. Block 0 is the header. */
    getBySeq(seq: number): Promise<{ key: string; value: unknown }>;
    close(): Promise<void>;
  }
}
