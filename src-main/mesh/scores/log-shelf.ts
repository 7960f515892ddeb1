import type Corestore from 'corestore';
import Hyperbee from 'hyperbee';
import type Hypercore from 'hypercore';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { MAX_ENTRY_BYTES } from './score-entry.ts';

/** Blocks asked for at once. */
const WINDOW = 16;
/** Mean size of a log's blocks, in bytes, above which it is not read: it bounds what a liar can make us hold. */
export const MAX_MEAN_BYTES = 4 * 1024;

/** The log says something that no honest log says. */
export class FalseLog extends Error {
  /** What it is, as a clause. */
  readonly fault: Saying;

  constructor(fault: Saying, options?: { cause: unknown }) {
    super(sentence(fault), options);
    this.fault = fault;
  }
}

/** A log of another worker (or our own), as far as it is here. */
export class OpenLog {
  readonly #core: Hypercore;
  readonly #bee: Hyperbee;
  readonly #onBlock: (bytes: number) => void;
  #conflict = false;

  /** @param onBlock a block has come that was not here */
  constructor(core: Hypercore, bee: Hyperbee, onBlock: (bytes: number) => void) {
    this.#core = core;
    this.#bee = bee;
    this.#onBlock = onBlock;
    core.on('conflict', () => {
      this.#conflict = true;
    });
  }

  /** Whether the log was ever truncated, or has two versions: an honest one only grows. */
  get rewritten(): boolean {
    return this.#conflict || this.#core.fork !== 0;
  }

  /**
   * Entries from place `from` up to `to`, fetched from whoever has them.
   *
   * @param timeoutMs milliseconds for all of them together: a block now and then must not hold a place for long
   * @throws FalseLog when a block cannot be read; another error when it did not come in time
   */
  async *read(from: number, to: number, timeoutMs: number): AsyncGenerator<{ key: string; value: unknown }> {
    // Nobody else hears that a log has grown, or was written anew.
    void this.#core.update().catch(ignoring('what cannot be known of it now is seen at the blocks'));
    const end = performance.now() + timeoutMs;
    const left = () => Math.max(1, end - performance.now());
    for (let start = from; start <= to; start += WINDOW) {
      const places = Array.from({ length: Math.min(WINDOW, to - start + 1) }, (_, index) => start + index);
      await this.#fetch(start, left());
      const { byteLength, length } = this.#core;
      if (byteLength > length * MAX_MEAN_BYTES) {
        throw new FalseLog(say('score.blocksTooLarge', { blocks: length, bytes: byteLength }));
      }
      await Promise.all(places.map((place) => this.#fetch(place, left())));
      for (const place of places) yield await this.#decode(place);
    }
  }

  /**
   * Root hash of the log over its header and `entries` entries, 64 hex. They must have been read before.
   * @returns undefined where they had to make room since: nobody is waited for
   */
  async root(entries: number): Promise<string | undefined> {
    if (!(await this.#core.has(entries))) return undefined;
    return (await this.#core.treeHash(entries + 1)).toString('hex');
  }

  async close(): Promise<void> {
    await this.#bee.close();
  }

  async #fetch(place: number, timeoutMs: number): Promise<void> {
    const isHere = await this.#core.has(place);
    const block = await this.#core.get(place, { timeout: timeoutMs, valueEncoding: 'binary' });
    if (!isHere) this.#onBlock(block.length);
    if (block.length > MAX_ENTRY_BYTES) {
      throw new FalseLog(say('score.blockTooLarge', { block: place, bytes: block.length }));
    }
  }

  async #decode(place: number): Promise<{ key: string; value: unknown }> {
    try {
      return await this.#bee.getBySeq(place);
    } catch (error) {
      if (this.#core.closing) throw error; // it is we who do not read on
      throw new FalseLog(say('score.noEntry', { block: place }), { cause: error });
    }
  }
}

/** Keeps the logs that were used last open, so that others can be served from them. */
export class LogShelf {
  readonly #store: Corestore;
  readonly #capacity: number;
  readonly #onBlock: (key: string, bytes: number) => void;
  readonly #open = new Map<string, Promise<OpenLog>>();
  #closed = false;

  /**
   * @param options.capacity logs to keep open. Default 256
   * @param options.onBlock a block of a log has come that was not here
   */
  constructor(store: Corestore, options: { capacity?: number; onBlock?: (key: string, bytes: number) => void } = {}) {
    this.#store = store;
    this.#capacity = options.capacity ?? 256;
    this.#onBlock = options.onBlock ?? (() => {});
  }

  /** @param key public key of the log, 64 hex */
  async take(key: string): Promise<OpenLog> {
    if (this.#closed) throw new Error('The logs are closed.');
    const log = this.#open.get(key) ?? this.#load(key);
    this.#open.delete(key);
    this.#open.set(key, log);
    // One that cannot be opened is tried anew the next time, and nobody may be here to hear of it while another closes.
    log.catch(() => this.#open.get(key) === log && this.#open.delete(key));
    if (this.#open.size > this.#capacity) await this.#closeOldest();
    return await log;
  }

  /** Closes a log that is not followed any more. */
  async drop(key: string): Promise<void> {
    const log = this.#open.get(key);
    this.#open.delete(key);
    await (await log?.catch(ignoring('one that could not be opened is not open')))?.close();
  }

  /** Ends every wait for a block. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#open.size > 0) await this.#closeOldest();
  }

  async #load(key: string): Promise<OpenLog> {
    const core = this.#store.get({ key: Buffer.from(key, 'hex') });
    await core.ready();
    const bee = new Hyperbee(core, { keyEncoding: 'utf-8', valueEncoding: 'json' });
    return new OpenLog(core, bee, (bytes) => this.#onBlock(key, bytes));
  }

  async #closeOldest(): Promise<void> {
    const [oldest] = this.#open;
    if (!oldest) return;
    this.#open.delete(oldest[0]);
    await (await oldest[1].catch(ignoring('one that could not be opened is not open')))?.close();
  }
}
