import { randomBytes } from 'node:crypto';
import { greatest } from '../../base/greatest.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Terms } from '../credits.ts';
import type { Claims } from '../standing/claims.ts';
import { MAX_VOICES } from '../voucher.ts';

/** Milliseconds that a list is told for: it is the same for all clients. */
const FRESH_MS = 10_000;

/** A node by a salt, so that only who knows the node finds it: 16 hex. */
export function veiled(salt: string, id: string): string {
  return sha256(salt + id).toString('hex', 0, 8);
}

/**
 * Whose vouchers this node takes, as it tells its clients: those whom it owes most for what they have served it, then those whose word it
 * trusts. Whom others have moved something comes last: one claim is easily moved to many keys.
 */
export class Voices {
  readonly #claims: Claims;
  #said: Pick<Terms, 'salt' | 'voices'> = { salt: '', voices: [] };
  #until = Number.NEGATIVE_INFINITY;

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** @param now Unix milliseconds */
  at(now: number): Pick<Terms, 'salt' | 'voices'> {
    if (now < this.#until && now >= this.#until - FRESH_MS) return this.#said;
    this.#until = now + FRESH_MS;
    const salt = randomBytes(16).toString('hex');
    const most = greatest(this.#claims.weighed(), MAX_VOICES, ({ weight }) => weight);
    this.#said = { salt, voices: most.map(({ peer }) => veiled(salt, peer)) };
    return this.#said;
  }
}

/** Whose vouchers another node takes, by one of its lists. Each id is looked for once: that costs a hash. */
export class HeardVoices {
  readonly salt: string;
  /** When the list was first looked at, Unix milliseconds. */
  readonly at: number;
  readonly #voices: ReadonlySet<string>;
  readonly #looked = new Map<string, boolean>();

  constructor({ salt, voices }: Pick<Terms, 'salt' | 'voices'>, at: number) {
    this.salt = salt;
    this.at = at;
    this.#voices = new Set(voices);
  }

  has(id: string): boolean {
    let found = this.#looked.get(id);
    if (found === undefined) {
      found = this.#voices.has(veiled(this.salt, id));
      this.#looked.set(id, found);
    }
    return found;
  }
}
