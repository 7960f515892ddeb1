import type { CoreOptions, OpenCore } from 'corestore';
import Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import type Protomux from 'protomux';
import Rache from 'rache';
import { ignoring } from '../../base/swallowed.ts';
import { CoreStore } from '../transport/core-store.ts';

/** Nodes of the logs' trees that are kept in memory, of all logs together; each would else keep 65,536, some 90 MB. */
const TREE_NODES = 8_192;
/** What is held in memory before it is written out, twice over; RocksDB would take eight times as much, and a node writes little at a time. */
const WRITE_BUFFER_BYTES = 8 * 1024 * 1024;

/** Where the score logs lie, this node's own and others'. A resource. */
export class LogStore extends CoreStore {
  /** Discovery keys, in hex, of logs that are being removed. A log that is opened meanwhile would find half of itself. */
  readonly #going = new Set<string>();

  constructor(folder: string, treeNodes = new Rache({ maxSize: TREE_NODES })) {
    super(Hypercore.defaultStorage(folder, { writeBufferSize: WRITE_BUFFER_BYTES }), { globalCache: treeNodes });
  }

  protected override prepare(replicator: OpenCore['replicator']): void {
    super.prepare(replicator);
    // A log that only grows would be written down with each of its blocks, though nobody reads them: see OpenLog.read.
    replicator.eagerUpgrade = false;
  }

  /**
   * Forgets a log with all that is known of it. Until that is done nobody can open it.
   * @throws when somebody has it open; peers that are served from it do not count
   */
  async remove(discoveryKey: Buffer): Promise<void> {
    const name = discoveryKey.toString('hex');
    if (this.#going.has(name)) return;
    this.#going.add(name);
    try {
      await this.#closeUnused(name);
      const [log] = await this.storage.getInfos([discoveryKey], { hints: false });
      if (!log) return;
      if (log.head) await this.#listPlace(discoveryKey);
      await this.storage.deleteCore(log.core);
    } finally {
      this.#going.delete(name);
    }
  }

  /** Everything that opens a core comes through here. */
  protected override _openCore(discoveryKey: Uint8Array | null, options: CoreOptions): OpenCore {
    const name = discoveryKey ?? (options.key && hypercoreCrypto.discoveryKey(Buffer.from(options.key)));
    if (name && this.#going.has(Buffer.from(name).toString('hex'))) throw new Error('This log is being removed.');
    return super._openCore(discoveryKey, options);
  }

  /** A peer speaks of a core. Nobody waits for this: what it throws would end the process. */
  protected override async _attachMaybe(mux: Protomux, discoveryKey: Uint8Array): Promise<void> {
    await super._attachMaybe(mux, discoveryKey).catch(ignoring('the log is going, or gone: there is nothing to give'));
  }

  async #closeUnused(name: string): Promise<void> {
    const core = this.cores.resume(name);
    if (!core) return;
    // One that somebody has, or is about to have, would not close, and never be opened again.
    if (core.hasSession() || this.sessions.list(core.id).length > 0) throw new Error('This log is open.');
    await core.close();
    this.cores.gc(core); // the store forgets those that it closed itself, and only those
  }

  /** Of a core, the store deletes the places that its named sessions write to, and not the one that it writes to itself. */
  async #listPlace(discoveryKey: Buffer): Promise<void> {
    const log = await this.storage.resumeCore(discoveryKey);
    if (!log) return;
    const write = log.write();
    write.setSessions([{ name: 'all', dataPointer: log.core.dataPointer }]);
    await write.flush();
    await log.close();
  }
}
