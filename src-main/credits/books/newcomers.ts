import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

const HOUR = 3_600_000;
/** Strangers that a worker opens an account for within an hour. */
export const NEW_CLIENTS_PER_HOUR = 500;

/**
 * Limits how fast strangers may grow the ledger: keys cost nothing, and the first request of each leaves entries that are
 * kept for good. It is counted in memory, so a restart begins anew.
 */
export class Newcomers {
  readonly #perHour: number;
  /** When each of the last hour's newcomers came, oldest first; never more than the limit. */
  readonly #arrivals = new Map<string, number>();

  /** @param perHour default {@link NEW_CLIENTS_PER_HOUR} */
  constructor(perHour = NEW_CLIENTS_PER_HOUR) {
    this.#perHour = perHour;
  }

  /**
   * Counts a client without an account; the same one again within the hour counts once.
   *
   * @throws RATE_LIMIT with `retryAfterMs` until there is room for another
   */
  admit(client: string, now: number): void {
    this.#forgetBefore(now - HOUR);
    if (this.#arrivals.has(client)) return;
    if (this.#arrivals.size >= this.#perHour) throw this.#tooMany(now);
    this.#arrivals.set(client, now);
  }

  #forgetBefore(then: number): void {
    for (const [client, at] of this.#arrivals) {
      if (at > then) return;
      this.#arrivals.delete(client);
    }
  }

  #tooMany(now: number): QuarryError {
    const [oldest = now] = this.#arrivals.values();
    return new QuarryError({
      code: 'RATE_LIMIT',
      message: say('credits.newcomers', { perHour: this.#perHour }),
      retryable: true,
      retryAfterMs: oldest + HOUR - now,
    });
  }
}
