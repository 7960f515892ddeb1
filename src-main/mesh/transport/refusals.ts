import type { Logger } from 'pino';

/** Milliseconds in which one kind of refusal is logged once: a flood must not become a flood of log lines. */
const QUIET_MS = 1_000;

/** Counts everything that was refused, by reason, and logs it with its reason. */
export class Refusals {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #kinds = new Map<string, { count: number; loggedAt: number; unlogged: number }>();

  constructor(log: Logger, now: () => number = Date.now) {
    this.#log = log;
    this.#now = now;
  }

  /** @param reason one of a fixed set of words: it is a key of the counts. Details go in `context` */
  note(reason: string, context: Record<string, unknown> = {}): void {
    const now = this.#now();
    const kind = this.#kinds.get(reason) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY, unlogged: 0 };
    this.#kinds.set(reason, kind);
    kind.count++;
    if (now - kind.loggedAt < QUIET_MS) {
      kind.unlogged++;
      return;
    }
    this.#log.info({ ...context, reason, suppressed: kind.unlogged }, 'refused');
    kind.loggedAt = now;
    kind.unlogged = 0;
  }

  /** Refusals since the start, by reason. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#kinds].map(([reason, { count }]) => [reason, count]));
  }
}
