import { LRUCache } from 'lru-cache';
import { type BackOff, backOffMs } from '../../base/back-off.ts';

/** For how long one is left alone after a failure. */
const REST = { firstMs: 15_000, longestMs: 300_000 };
const MAX_KEYS = 10_000;

interface Entry {
  failures: number;
  until: number;
}

/** Leaves alone for a growing while whoever failed, by any key: a worker, or two nodes together. */
export class CoolDown {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  readonly #rest: BackOff;

  constructor(rest: BackOff = REST) {
    this.#rest = rest;
  }

  /** @returns when it may be asked again, Unix milliseconds */
  failed(key: string, now: number): number {
    const failures = (this.#entries.peek(key)?.failures ?? 0) + 1;
    const until = now + backOffMs(failures, this.#rest);
    this.#entries.set(key, { failures, until });
    return until;
  }

  /** It has no room now: no failure, but there is no use in asking at once. */
  busy(key: string, until: number): void {
    const entry = this.#entries.peek(key);
    this.#entries.set(key, { failures: entry?.failures ?? 0, until: Math.max(until, entry?.until ?? 0) });
  }

  succeeded(key: string): void {
    this.#entries.delete(key);
  }

  /** It has failed since it last succeeded, however long ago. */
  hasFailed(key: string): boolean {
    return (this.#entries.peek(key)?.failures ?? 0) > 0;
  }

  isCooling(key: string, now: number): boolean {
    return (this.#entries.peek(key)?.until ?? 0) > now;
  }
}
