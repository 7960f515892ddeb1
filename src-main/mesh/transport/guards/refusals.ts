import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** Milliseconds in which one kind of refusal is logged once: a flood must not become a flood of log lines. */
const QUIET_MS = 1_000;
/** Kinds whose last line is remembered. */
const KINDS = 4_096;

/** When something that happens again and again is worth a line in the log: once in a while, with a number for the rest. */
export class QuietLog {
  readonly #quietMs: number;
  readonly #now: () => number;
  readonly #kinds = new LRUCache<string, { loggedAt: number; suppressed: number }>({ max: KINDS });

  /** @param quietMs milliseconds between two lines of one kind */
  constructor(quietMs: number, now: () => number) {
    this.#quietMs = quietMs;
    this.#now = now;
  }

  /** It happened. @returns how many lines of its kind were left out since the last one, if one is due; else undefined */
  due(kind: string): number | undefined {
    const now = this.#now();
    const last = this.#kinds.get(kind);
    if (last && now - last.loggedAt < this.#quietMs) {
      last.suppressed++;
      return undefined;
    }
    this.#kinds.set(kind, { loggedAt: now, suppressed: 0 });
    return last?.suppressed ?? 0;
  }
}

/** Counts everything that was refused, by reason, and logs it with its reason. */
export class Refusals {
  readonly #log: Logger;
  readonly #quiet: QuietLog;
  readonly #counts = new Map<string, number>();

  constructor(log: Logger, now: () => number = Date.now) {
    this.#log = log;
    this.#quiet = new QuietLog(QUIET_MS, now);
  }

  /** @param reason one of a fixed set of words: it is a key of the counts. Details go in `context` */
  note(reason: string, context: Record<string, unknown> = {}): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    const suppressed = this.#quiet.due(reason);
    if (suppressed !== undefined) this.#log.info({ ...context, reason, suppressed }, 'refused');
  }

  /** Refusals since the start, by reason. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
