import { createHmac } from 'node:crypto';
import type Corestore from 'corestore';
import Hyperbee from 'hyperbee';
import type Hypercore from 'hypercore';
import hypercoreCrypto, { type KeyPair } from 'hypercore-crypto';
import { Turns } from '../../base/turns.ts';
import type { ScoredEvent } from '../../credits/books/scored-events.ts';
import type { Identity } from '../transport/identity.ts';
import { encodeEntry } from './score-entry.ts';

const PAGE = 100;

/** Where the log's entries come from: the credit book. */
export interface ScoredEvents {
  /** Events after number `after`, in order. */
  scored(after: number, limit: number): Promise<ScoredEvent[]>;
  /** The number of the event at place `count`; 0 for none, undefined when there are fewer. */
  scoredAt(count: number): Promise<number | undefined>;
}

/**
 * This node's own score log: a Hyperbee with one block for every receipt and failure, in the order of the ledger. It is a
 * projection of the ledger: what is missing is appended, and a log that was lost is written anew, block for block the same
 * (the key comes from the identity, and entries are put one at a time).
 */
export class ScoreLog {
  readonly #core: Hypercore;
  readonly #bee: Hyperbee;
  readonly #events: ScoredEvents;
  /** Number of the last event published; undefined when the log is not this ledger's. */
  #published: number | undefined;
  #appended = false;
  readonly #turns = new Turns();
  #closed = false;

  private constructor(core: Hypercore, bee: Hyperbee, events: ScoredEvents) {
    this.#core = core;
    this.#bee = bee;
    this.#events = events;
  }

  static async open(options: { store: Corestore; identity: Identity; events: ScoredEvents }): Promise<ScoreLog> {
    const core = options.store.get({ keyPair: logKeyPair(options.identity) });
    await core.ready();
    const bee = new Hyperbee(core, { keyEncoding: 'utf-8', valueEncoding: 'json' });
    await bee.ready();
    const scoreLog = new ScoreLog(core, bee, options.events);
    await scoreLog.fits();
    return scoreLog;
  }

  /** Public key of the log, 64 hex. */
  get key(): string {
    return this.#core.key.toString('hex');
  }

  get entries(): number {
    return Math.max(0, this.#core.length - 1);
  }

  /** Whether anything was appended since it was opened. */
  get hasAppended(): boolean {
    return this.#appended;
  }

  /** Whether all that is in it is in the ledger, too; asked anew when either has grown in another way than by {@link publish}. */
  async fits(): Promise<boolean> {
    this.#published = await this.#events.scoredAt(this.entries);
    return this.#published !== undefined;
  }

  /** Appends what the ledger has more; calls wait for each other. @returns the number of entries then */
  async publish(): Promise<number> {
    await this.#turns.take(() => this.#append());
    return this.entries;
  }

  /** Waits for an entry that is being appended. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#turns.ended();
    await this.#bee.close();
  }

  async #append(): Promise<void> {
    while (!this.#closed && this.#published !== undefined) {
      const events = await this.#events.scored(this.#published, PAGE);
      if (events.length === 0) return;
      for (const event of events) {
        if (this.#closed) return;
        const { key, value } = encodeEntry(event, this.entries + 1);
        await this.#bee.put(key, value);
        this.#appended = true;
        this.#published = event.seq;
      }
    }
  }
}

/** The log's own key, derived from the identity: a signature of the one can never pass for one of the other. */
function logKeyPair({ keyPair }: Identity): KeyPair {
  return hypercoreCrypto.keyPair(createHmac('sha256', keyPair.secretKey).update('quarry-score-log/v2').digest());
}
