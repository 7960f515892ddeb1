import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Corestore from 'corestore';
import type Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import HyperDHT, { type Address } from 'hyperdht';
import { ignoring } from '../../base/swallowed.ts';

/** Bytes of a block: what Hyperdrive cuts files into. */
const BLOCK_BYTES = 64 * 1024;
const BATCH_BLOCKS = 64;

/** A Hypercore that holds a file, and nothing else: who connects gets it. */
export class BareCore {
  readonly #store: Corestore;
  readonly #dht: HyperDHT;

  constructor(options: { folder: string; bootstrap: Address[] }) {
    this.#store = new Corestore(join(options.folder, 'bare'));
    this.#dht = new HyperDHT({ bootstrap: options.bootstrap, host: '127.0.0.1', firewalled: false });
  }

  /** Takes the file in and listens. The core's key is the same for all seeders, so that a reader can take from several. */
  async serve(file: string): Promise<{ core: string; node: string }> {
    const core = this.#store.get({ keyPair: hypercoreCrypto.keyPair(Buffer.alloc(32, 7)) });
    await core.ready();
    await appendFile(core, file);
    const server = this.#dht.createServer((stream) => {
      stream.on('error', ignoring('the other side may leave at any time'));
      this.#store.replicate(stream);
    });
    const keyPair = hypercoreCrypto.keyPair();
    await server.listen(keyPair);
    return { core: core.key.toString('hex'), node: keyPair.publicKey.toString('hex') };
  }

  /** Fetches all blocks into this store. @returns bytes */
  async fetch(key: string, nodes: string[]): Promise<number> {
    const core = this.#store.get({ key: Buffer.from(key, 'hex') });
    await core.ready();
    for (const node of nodes) {
      const stream = this.#dht.connect(Buffer.from(node, 'hex'));
      stream.on('error', ignoring('the other side may leave at any time'));
      this.#store.replicate(stream);
    }
    await core.get(0, { valueEncoding: 'binary' });
    await core.download({ start: 0, end: core.length }).done();
    return core.byteLength;
  }

  async close(): Promise<void> {
    await this.#dht.destroy({ force: true });
    await this.#store.close();
  }
}

async function appendFile(core: Hypercore, path: string): Promise<void> {
  const file = await open(path);
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: BATCH_BLOCKS * BLOCK_BYTES, autoClose: false })) {
      const blocks = [];
      for (let at = 0; at < chunk.length; at += BLOCK_BYTES) blocks.push(chunk.subarray(at, at + BLOCK_BYTES));
      await core.append(blocks);
    }
  } finally {
    await file.close();
  }
}
