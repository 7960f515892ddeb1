import { LRUCache } from 'lru-cache';
import { backOffMs } from '../../base/back-off.ts';

/** Wrong tokens that an address may try before it has to wait. */
const FREE_ATTEMPTS = 5;
/** How long to wait after each further one. */
const WAIT = { firstMs: 1_000, longestMs: 15 * 60_000 };
/** Milliseconds after which an address that has failed begins anew. */
const FORGET_MS = 60 * 60_000;
/** Most addresses that are remembered; those that failed longest ago make room. */
const MAX_ADDRESSES = 1_000;
/** Wrong tokens in a minute, from all addresses together. */
const MAX_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

interface Failures {
  count: number;
  lastAt: number;
}

/**
 * Slows down those who guess the token at the login: each address by itself, and all together. What happened in the future
 * happened now: a clock that is set back by hours must not lock anybody out for hours.
 *
 * @param now Unix milliseconds
 */
export class LoginLimit {
  readonly #now: () => number;
  /** By address; those that failed longest ago make room. */
  readonly #failures = new LRUCache<string, Failures>({ max: MAX_ADDRESSES });
  #minute = { startedAt: 0, count: 0 };

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Milliseconds until the address may try again; 0 when it may now. */
  waitMs(address: string): number {
    return Math.max(this.#waitOfAddress(address), this.#waitOfAll());
  }

  failed(address: string): void {
    const now = this.#now();
    const count = (this.#recent(address)?.count ?? 0) + 1;
    this.#failures.set(address, { count, lastAt: now });
    if (now - this.#thisMinute().startedAt >= MINUTE_MS) this.#minute = { startedAt: now, count: 0 };
    this.#minute.count++;
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }

  #waitOfAddress(address: string): number {
    const { count, lastAt } = this.#recent(address) ?? { count: 0, lastAt: 0 };
    if (count < FREE_ATTEMPTS) return 0;
    const wait = backOffMs(count - FREE_ATTEMPTS + 1, WAIT);
    return Math.max(0, lastAt + wait - this.#now());
  }

  #waitOfAll(): number {
    const { startedAt, count } = this.#thisMinute();
    return count < MAX_PER_MINUTE ? 0 : Math.max(0, startedAt + MINUTE_MS - this.#now());
  }

  #recent(address: string): Failures | undefined {
    const failures = this.#failures.peek(address); // to ask is not to fail
    if (!failures) return undefined;
    failures.lastAt = Math.min(failures.lastAt, this.#now());
    return this.#now() - failures.lastAt < FORGET_MS ? failures : undefined;
  }

  #thisMinute() {
    this.#minute.startedAt = Math.min(this.#minute.startedAt, this.#now());
    return this.#minute;
  }
}
