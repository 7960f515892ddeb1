import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { networkPrefix } from '../../base/network-prefix.ts';

const HOUR = 3_600_000;
/** Strangers that a worker opens an account for within an hour, where one network does not bring them all. */
export const NEW_CLIENTS_PER_HOUR = 500;

/**
 * Limits how fast strangers may grow the ledger: keys cost nothing, and the first request of each leaves entries that are
 * kept for good. Networks cost something, so each has an equal share of the places: one that has used up all of them locks
 * nobody out who comes from another. It is counted in memory, so a restart begins anew.
 */
export class Newcomers {
  readonly #perHour: number;
  /** The last hour's newcomers, oldest first. */
  readonly #arrivals = new Map<string, { at: number; network: string }>();
  readonly #networks = new Map<string, number>();

  /** @param perHour default {@link NEW_CLIENTS_PER_HOUR} */
  constructor(perHour = NEW_CLIENTS_PER_HOUR) {
    this.#perHour = perHour;
  }

  /**
   * Counts a client without an account; the same one again within the hour counts once.
   *
   * @param host the address that it comes from
   * @throws RATE_LIMIT with `retryAfterMs` until there is room for another
   */
  admit(client: string, host: string, now: number): void {
    this.#forgetBefore(now - HOUR);
    if (this.#arrivals.has(client)) return;
    const network = networkPrefix(host);
    const own = this.#networks.get(network) ?? 0;
    const share = this.#perHour / (this.#networks.size + (own === 0 ? 1 : 0));
    if (this.#arrivals.size >= this.#perHour && own + 1 > share) throw this.#tooMany(network, now);
    this.#arrivals.set(client, { at: now, network });
    this.#networks.set(network, own + 1);
  }

  #forgetBefore(then: number): void {
    for (const [client, { at, network }] of this.#arrivals) {
      if (at > then) return;
      this.#arrivals.delete(client);
      const left = (this.#networks.get(network) ?? 0) - 1;
      if (left > 0) this.#networks.set(network, left);
      else this.#networks.delete(network);
    }
  }

  #tooMany(network: string, now: number): QuarryError {
    const arrivals = [...this.#arrivals.values()];
    const { at } = arrivals.find((arrival) => arrival.network === network) ?? arrivals[0] ?? { at: now };
    return new QuarryError({
      code: 'RATE_LIMIT',
      message: say('credits.newcomers', { perHour: this.#perHour }),
      retryable: true,
      retryAfterMs: at + HOUR - now,
    });
  }
}
