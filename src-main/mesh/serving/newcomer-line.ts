import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import { queueFull } from './queue.ts';

/** Of one network so many may wait at once: they share what it is given anyhow. */
const PER_NETWORK = 4;
/** Share of the engine's time that goes to newcomers, and how much of it may be used at once, in milliseconds. */
const SHARE = 0.5;
const AT_ONCE_MS = 60_000;

interface Newcomer<T> {
  requestId: string;
  /** See base/network-prefix.ts. */
  network: string;
  value: T;
}

export interface NewcomerLineOptions {
  /** Requests that may wait. Default 32. */
  capacity?: number;
  /** Requests that are served together. */
  parallel: number;
  /** Milliseconds of any clock. */
  now: number;
}

/**
 * Where those wait to whom a worker owes nothing. They start when nobody waits to whom it owes something, for half of its time at
 * most: those first whose network was given least.
 */
export class NewcomerLine<T> {
  readonly #capacity: number;
  readonly #time: TokenBucket;
  /** In the order of arrival. */
  readonly #waiting = new Map<string, Newcomer<T>>();

  constructor({ capacity = 32, parallel, now }: NewcomerLineOptions) {
    this.#capacity = capacity;
    this.#time = new TokenBucket(SHARE * parallel * 1_000, AT_ONCE_MS, now);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** @throws QUEUE_FULL when too many wait, RATE_LIMIT when too many of them are of this network */
  add(newcomer: Newcomer<T>): void {
    const same = [...this.#waiting.values()].filter(({ network }) => network === newcomer.network).length;
    if (same >= PER_NETWORK) throw tooMany(PER_NETWORK);
    if (this.size >= this.#capacity) throw queueFull(this.#capacity);
    this.#waiting.set(newcomer.requestId, newcomer);
  }

  /**
   * Takes out who is next.
   *
   * @param given credits that a network has been given
   * @returns undefined when nobody waits, or when newcomers have had their share of the time
   */
  take(given: (network: string) => number, now: number): Newcomer<T> | undefined {
    if (this.size === 0 || this.#time.debt(now) > 0) return undefined;
    const [next] = [...this.#waiting.values()]
      .map((newcomer) => ({ newcomer, had: given(newcomer.network) }))
      .sort((a, b) => a.had - b.had);
    if (next) this.#waiting.delete(next.newcomer.requestId);
    return next?.newcomer;
  }

  /** Takes out a request that is no longer wanted. */
  remove(requestId: string): void {
    this.#waiting.delete(requestId);
  }

  /** A newcomer had the engine for so long. */
  used(ms: number, now: number): void {
    this.#time.spend(ms, now);
  }

  /** Milliseconds until newcomers may have the engine again. */
  waitMs(now: number): number {
    return this.#time.waitMs(0, now);
  }
}

function tooMany(perNetwork: number): QuarryError {
  const message = say('mesh.tooManyOfNetwork', { perNetwork });
  return new QuarryError({ code: 'RATE_LIMIT', message, hint: say('mesh.waitForOne'), retryable: true });
}
