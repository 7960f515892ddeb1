import { createHash, randomBytes } from 'node:crypto';
import { greatest } from '../../base/greatest.ts';
import type { Terms } from '../credits.ts';
import type { Claims } from '../standing/claims.ts';
import { MAX_VOICES } from '../voucher.ts';

/** Milliseconds that a list is told for: it is the same for all clients. */
const FRESH_MS = 10_000;

/** A node by a salt, so that only who knows the node finds it: 16 hex. */
export function veiled(salt: string, id: string): string {
  return createHash('sha256').update(salt).update(id).digest('hex').slice(0, 16);
}

/** Whose vouchers this node takes, as it tells its clients: those whom it owes most, and whose word it trusts. */
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
    const most = greatest(this.#claims.voices(), MAX_VOICES, (id) => this.#claims.free(id));
    this.#said = { salt, voices: most.map((id) => veiled(salt, id)) };
    return this.#said;
  }
}
