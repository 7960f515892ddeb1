import type { Logger } from 'pino';
import { Turns } from '../../base/turns.ts';
import type { ScoreStore } from '../../store/mesh/scores.ts';

/** Shortest time from one write to the next, in milliseconds. */
const EVERY_MS = 1_000;
/** Changes written in one transaction: between two of those the node does other things. */
const AT_ONCE = 64;

type Change = (store: ScoreStore) => Promise<void>;

/**
 * Writes what others say, some at a time: a flush to the disk for every message would let whoever sends many hold up this node. What a power
 * cut takes of the last second, others say again. A resource: close it.
 */
export class ScoreSaver {
  readonly #store: ScoreStore;
  readonly #log: Logger;
  /** By what they change: of two changes of the same thing the later one counts. */
  readonly #changes = new Map<string, Change>();
  readonly #turns = new Turns();
  #timer: NodeJS.Timeout | undefined;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(store: ScoreStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Writes a change soon; it must be one that can be made whatever has gone meanwhile. @param what names that which changes */
  save(what: string, change: Change): void {
    this.#changes.set(what, change);
    if (this.#timer || this.#closed) return;
    const waitMs = Math.max(0, this.#wroteAt + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, waitMs);
  }

  /** Writes what there is. Never rejects: what could not be written is learnt again. */
  flush(): Promise<void> {
    return this.#turns.take(async () => {
      while (this.#changes.size > 0) {
        await this.#write();
        await new Promise(setImmediate);
      }
      this.#wroteAt = performance.now();
    });
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const batch = [...this.#changes.entries().take(AT_ONCE)];
    for (const [what] of batch) this.#changes.delete(what);
    try {
      await this.#store.together(async (store) => {
        for (const [, change] of batch) await change(store);
      });
    } catch (err) {
      this.#log.error({ err }, 'what others say of scores could not be written');
    }
  }
}
