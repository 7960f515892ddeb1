import { LRUCache } from 'lru-cache';
import { backOffMs } from '../../base/back-off.ts';
import { isLoopback } from '../../base/loopback.ts';
import { addressPlace } from '../../base/network-prefix.ts';
import { sha256 } from '../../base/sha256.ts';

/** Wrong tokens that an address may try before it has to wait. */
const FREE_ATTEMPTS = 5;
/** How long to wait after each further one. */
const WAIT = { firstMs: 1_000, longestMs: 15 * 60_000 };
/** Milliseconds after which an address that has failed begins anew. */
const FORGET_MS = 60 * 60_000;
/** Most addresses that are remembered; those that failed, or had the token, longest ago make room. */
const MAX_ADDRESSES = 1_000;
/** Wrong tokens of an address that are remembered: a program that goes on with an old one guesses nothing. */
const MAX_TRIED = 8;
/** Wrong tokens in a minute, from all strangers together. */
const MAX_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

interface Failures {
  count: number;
  lastAt: number;
  /** Hashes of the tokens, the latest first. */
  tried: string[];
}

/**
 * Slows down those who guess the token, at the login or with each request: each address by itself, and all strangers together.
 * This machine and addresses that had the token before have their own limit alone, so nobody elsewhere locks them out. What
 * happened in the future happened now: a clock that is set back by hours must not lock anybody out for hours.
 *
 * @param now Unix milliseconds
 */
export class LoginLimit {
  readonly #now: () => number;
  /** By place. */
  readonly #failures = new LRUCache<string, Failures>({ max: MAX_ADDRESSES });
  /** Places that had the token. */
  readonly #known = new LRUCache<string, true>({ max: MAX_ADDRESSES });
  #minute = { startedAt: 0, count: 0 };

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Milliseconds until the address may try again; 0 when it may now. */
  waitMs(address: string): number {
    const place = addressPlace(address);
    return Math.max(this.#waitOf(place), this.#isStranger(address) ? this.#waitOfStrangers() : 0);
  }

  /** The same wrong token once more is no further guess. */
  failed(address: string, token: string): void {
    const place = addressPlace(address);
    const now = this.#now();
    const { count, tried }: Omit<Failures, 'lastAt'> = this.#recent(place) ?? { count: 0, tried: [] };
    const hash = sha256(token).toString('base64');
    if (tried.includes(hash)) return;
    this.#failures.set(place, { count: count + 1, lastAt: now, tried: [hash, ...tried].slice(0, MAX_TRIED) });
    if (!this.#isStranger(address)) return;
    if (now - this.#thisMinute().startedAt >= MINUTE_MS) this.#minute = { startedAt: now, count: 0 };
    this.#minute.count++;
  }

  succeeded(address: string): void {
    const place = addressPlace(address);
    this.#failures.delete(place);
    this.#known.set(place, true);
  }

  #isStranger(address: string): boolean {
    return !isLoopback(address) && !this.#known.has(addressPlace(address));
  }

  #waitOf(place: string): number {
    const { count, lastAt } = this.#recent(place) ?? { count: 0, lastAt: 0 };
    if (count < FREE_ATTEMPTS) return 0;
    const wait = backOffMs(count - FREE_ATTEMPTS + 1, WAIT);
    return Math.max(0, lastAt + wait - this.#now());
  }

  #waitOfStrangers(): number {
    const { startedAt, count } = this.#thisMinute();
    return count < MAX_PER_MINUTE ? 0 : Math.max(0, startedAt + MINUTE_MS - this.#now());
  }

  #recent(place: string): Failures | undefined {
    const failures = this.#failures.peek(place); // to ask is not to fail
    if (!failures) return undefined;
    failures.lastAt = Math.min(failures.lastAt, this.#now());
    return this.#now() - failures.lastAt < FORGET_MS ? failures : undefined;
  }

  #thisMinute() {
    this.#minute.startedAt = Math.min(this.#minute.startedAt, this.#now());
    return this.#minute;
  }
}
