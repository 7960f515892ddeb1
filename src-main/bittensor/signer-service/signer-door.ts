import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import { addressPlace } from '../../base/network-prefix.ts';
import { sha256 } from '../../base/sha256.ts';
import { BucketMap } from '../../base/token-bucket.ts';

/** Wrong tokens of an address that are answered, and written down, at once, and in a second. */
const WRONG = { burst: 10, perSecond: 0.2 };

/** Hears of somebody who was turned away, and why. */
export type Turned = (request: FastifyRequest, reason: string) => Promise<void>;

/** Lets in who has the token, which is 256 random bits: nobody guesses it, so nobody is kept waiting who has it. */
export class SignerDoor {
  readonly #hash: Buffer;
  readonly #now: () => number;
  readonly #turned: Turned;
  readonly #wrong = new BucketMap();

  /** @param now milliseconds; @param turned hears of those who are turned away, as long as they are not a flood */
  constructor({ token, now, turned }: { token: string; now: () => number; turned: Turned }) {
    this.#hash = sha256(token);
    this.#now = now;
    this.#turned = turned;
  }

  /** @throws UNAUTHORIZED; RATE_LIMIT for who comes with too many wrong ones */
  async check(request: FastifyRequest): Promise<void> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && timingSafeEqual(sha256(token), this.#hash)) return;
    const now = this.#now();
    const from = isLoopback(request.ip) ? 'loopback' : addressPlace(request.ip); // this computer has 16 million addresses
    const bucket = this.#wrong.get(from, WRONG.perSecond, WRONG.burst, now);
    if (!bucket?.take(1, now)) {
      const retryAfterMs = bucket?.waitMs(1, now) ?? 60_000;
      throw new QuarryError({ code: 'RATE_LIMIT', message: 'Too many wrong tokens.', retryable: true, retryAfterMs });
    }
    await this.#turned(request, token === undefined ? 'no token' : 'a wrong token');
    throw new QuarryError({ code: 'UNAUTHORIZED', message: 'A valid token is needed: «Authorization: Bearer TOKEN».' });
  }
}
