import { LRUCache } from 'lru-cache';
import { type BackOff, backOffMs } from '../../base/back-off.ts';

/** For how long a worker is left alone after a failure. */
const REST = { firstMs: 15_000, longestMs: 300_000 };
const MAX_WORKERS = 10_000;

interface Entry {
  failures: number;
  until: number;
}

/** Leaves failing workers alone for a growing while. */
export class CoolDown {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_WORKERS });
  readonly #rest: BackOff;

  constructor(rest: BackOff = REST) {
    this.#rest = rest;
  }

  /** The worker failed. @returns when it may be asked again, Unix milliseconds */
  failed(worker: string, now: number): number {
    const failures = (this.#entries.peek(worker)?.failures ?? 0) + 1;
    const until = now + backOffMs(failures, this.#rest);
    this.#entries.set(worker, { failures, until });
    return until;
  }

  /** The worker has no room now: no failure, but there is no use in asking at once. */
  busy(worker: string, until: number): void {
    const entry = this.#entries.peek(worker);
    this.#entries.set(worker, { failures: entry?.failures ?? 0, until: Math.max(until, entry?.until ?? 0) });
  }

  succeeded(worker: string): void {
    this.#entries.delete(worker);
  }

  /** It has failed since it last succeeded, however long ago. */
  hasFailed(worker: string): boolean {
    return (this.#entries.peek(worker)?.failures ?? 0) > 0;
  }

  isCooling(worker: string, now: number): boolean {
    return (this.#entries.peek(worker)?.until ?? 0) > now;
  }
}
