import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../base/sha256.ts';

/** Milliseconds in which a code can be used. */
export const ENTRY_MS = 10 * 60_000;
/** Most codes at a time; the oldest makes room. */
export const MAX_CODES = 16;

interface EntryCode {
  hash: Buffer;
  madeAt: number;
}

/**
 * Codes that each let one browser in, once and soon. They are kept as hashes, in memory only.
 *
 * @param now Unix milliseconds
 */
export class EntryCodes {
  readonly #now: () => number;
  #codes: EntryCode[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 128 random bits: nobody guesses it, and its link fits a line */
  make(): { code: string; expiresAt: number } {
    const code = randomBytes(16).toString('base64url');
    const madeAt = this.#now();
    this.#codes = [...this.#live(), { hash: sha256(code), madeAt }].slice(-MAX_CODES);
    return { code, expiresAt: madeAt + ENTRY_MS };
  }

  /** Whether the code lets somebody in. It does no second time. Takes equally long for every wrong one. */
  take(code: string): boolean {
    const hash = sha256(code);
    const live = this.#live();
    this.#codes = live.filter((one) => !timingSafeEqual(one.hash, hash));
    return this.#codes.length < live.length;
  }

  /** A clock that is set back makes none last longer. */
  #live(): EntryCode[] {
    const now = this.#now();
    return this.#codes.filter(({ madeAt }) => madeAt <= now && now - madeAt < ENTRY_MS);
  }
}
