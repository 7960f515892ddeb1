import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type Corestore from 'corestore';
import type Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import type { Logger } from 'pino';
import { ifMissing } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';

/** Milliseconds from one look at the disk to the next. */
const LOOK_EVERY_MS = 600_000;
/** Share of the cap that is left in use when logs had to go: not every look should find something to do. */
const LEFT = 0.8;
/** What a block takes on the disk, as a share of its own bytes: hashes and what the database adds. */
const OVERHEAD = 1.4;

export interface LogBudgetOptions {
  /** Where the logs lie. */
  folder: string;
  store: Corestore;
  /** This node's own log, by its public key (64 hex); it never goes. */
  own: () => string | undefined;
  /** Public keys of the logs that are followed, the one that is of least use first. */
  followed: () => Iterable<string>;
  maxBytes: number;
  /** Default {@link LOOK_EVERY_MS}. */
  everyMs?: number;
  log: Logger;
}

/**
 * Holds the disk that others' score logs take to a cap: looked at at the start, whatever a node before has left, and every ten minutes. What
 * was proven of a log stays known when its blocks go; only the next ones are fetched. A resource.
 */
export class LogBudget {
  readonly #options: LogBudgetOptions;
  readonly #turns = new Turns();
  /** Of each log that went, by its discovery key: how long it was then. */
  readonly #cleared = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LogBudgetOptions) {
    this.#options = options;
  }

  /** Idempotent. */
  open(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setInterval(() => void this.look(), this.#options.everyMs ?? LOOK_EVERY_MS).unref();
    void this.look();
  }

  /** Looks at the disk now, and makes room if need be. Never rejects. */
  look(): Promise<void> {
    return this.#turns.take(async () => {
      try {
        if (!this.#closed) await this.#hold();
      } catch (err) {
        if (!this.#closed) this.#options.log.warn({ err }, 'the score logs’ place on the disk could not be looked at');
      }
    });
  }

  /** Waits for a look that is under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#turns.ended();
  }

  async #hold(): Promise<void> {
    const { folder, maxBytes, store, log } = this.#options;
    const before = await bytesIn(folder);
    if (before <= maxBytes) return;
    await store.storage.compact(); // what was rewritten or cleared before still takes its place until then
    let size = await bytesIn(folder);
    let logs = 0;
    let expected = size;
    for await (const core of this.#inOrder()) {
      if (this.#closed || expected <= LEFT * maxBytes) break;
      expected -= await this.#clear(core);
      logs++;
    }
    if (logs === 0) return;
    await store.storage.compact();
    size = await bytesIn(folder);
    log.info({ logs, before, size, maxBytes }, 'logs of others were put away to hold their place on the disk');
  }

  /** Logs that nobody follows any more, then those that are followed, the least useful first; none that is cleared already. */
  async *#inOrder(): AsyncGenerator<Hypercore> {
    const { store, own, followed } = this.#options;
    const keys = [...followed()];
    const nameOf = (key: string) => hypercoreCrypto.discoveryKey(Buffer.from(key, 'hex')).toString('hex');
    const ownKey = own();
    const kept = new Set([...keys, ...(ownKey ? [ownKey] : [])].map(nameOf));
    for await (const name of store.list()) {
      if (!kept.has(name.toString('hex'))) yield* this.#opened(store.get({ discoveryKey: name }));
    }
    for (const key of keys) {
      if (key !== ownKey) yield* this.#opened(store.get({ key: Buffer.from(key, 'hex') }));
    }
  }

  async *#opened(core: Hypercore): AsyncGenerator<Hypercore> {
    try {
      await core.ready();
      const name = core.discoveryKey.toString('hex');
      if (core.length > 0 && (this.#cleared.get(name) ?? 0) < core.length) yield core;
    } finally {
      await core.close();
    }
  }

  /** @returns about how many bytes that frees */
  async #clear(core: Hypercore): Promise<number> {
    const name = core.discoveryKey.toString('hex');
    const share = 1 - (this.#cleared.get(name) ?? 0) / core.length;
    await core.clear(0, core.length);
    this.#cleared.set(name, core.length);
    return core.byteLength * share * OVERHEAD;
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true }).catch(ifMissing)) ?? [];
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(ifMissing))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
