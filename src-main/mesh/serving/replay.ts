import type { Evidence } from '../transport/envelope.ts';

/** How far an author's clock may be from ours, in milliseconds. */
export const FRESHNESS_MS = 120_000;

/**
 * Lets every signed message through once: it must be fresh, and its id new. Ids are remembered as long as their message
 * would still be fresh, at most `capacity` of them (then the oldest go).
 */
export class ReplayGuard {
  readonly #seen = new Map<string, number>();
  readonly #capacity: number;

  /** @param capacity ids to remember, about 100 bytes each. Default 65,536 */
  constructor(capacity = 65_536) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Why the message must not be acted upon; undefined when it may, once. */
  check(message: Pick<Evidence, 'from' | 'id' | 'ts'>, now: number): 'stale' | 'replayed' | undefined {
    if (Math.abs(now - message.ts) > FRESHNESS_MS) return 'stale';
    this.#forget(now);
    const key = `${message.from}${message.id}`;
    if (this.#seen.has(key)) return 'replayed';
    this.#seen.set(key, now + 2 * FRESHNESS_MS);
    return undefined;
  }

  /** Map keeps insertion order, and ids are inserted in order of expiry: only the front can be due. */
  #forget(now: number): void {
    for (const [key, expires] of this.#seen) {
      if (expires >= now && this.#seen.size < this.#capacity) return;
      this.#seen.delete(key);
    }
  }
}
