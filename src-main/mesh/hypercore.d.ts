/** The parts of Hypercore, Corestore and Hyperbee that the score logs use; they ship without types. */

declare module 'hypercore' {
  import type { EventEmitter } from 'node:events';

  export default class Hypercore extends EventEmitter {
    readonly key: Buffer;
    readonly length: number;
    /** Bytes of all blocks, those not here included. */
    readonly byteLength: number;
    /** How often the log was truncated: 0 for one that was only ever appended to. */
    readonly fork: number;
    readonly closed: boolean;
    ready(): Promise<void>;
    /** Waits for a block that is not here yet; rejects after `timeout` milliseconds. */
    get(index: number, options: { timeout?: number; valueEncoding: 'binary' }): Promise<Buffer>;
    /** Root hash of the Merkle tree over the first `length` blocks. */
    treeHash(length?: number): Promise<Buffer>;
    close(): Promise<void>;
  }
}

declare module 'corestore' {
  import type { NoiseStream } from '@hyperswarm/secret-stream';
  import type Hypercore from 'hypercore';
  import type { KeyPair } from 'hypercore-crypto';

  export default class Corestore {
    constructor(dir: string);
    ready(): Promise<void>;
    get(options: { key: Uint8Array } | { keyPair: KeyPair }): Hypercore;
    /** Exchanges the logs that both sides know over a connection, beside its other channels. */
    replicate(stream: NoiseStream): unknown;
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
