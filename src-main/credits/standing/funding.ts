import type { Funding } from '../credits.ts';
import { type Claims, tierOfClaim } from './claims.ts';
import type { Gifts } from './gifts.ts';

/** A request that wants to be served. */
export interface Wish {
  client: string;
  /** Where it comes from: see base/network-prefix.ts. */
  prefix: string;
  /** The most that it can cost. */
  credits: number;
  /** Somebody's word for the client was taken for it. */
  vouched: boolean;
}

/**
 * How a worker pays itself for a request: from what it owes the client, else from what it gives away to the client's prefix. A client
 * that has served here is judged by that alone: a word of others is for those whom the worker does not know.
 */
export class Till {
  readonly #claims: Claims;
  readonly #gifts: Gifts;

  constructor(claims: Claims, gifts: Gifts) {
    this.#claims = claims;
    this.#gifts = gifts;
  }

  /** Sets the credits for a request aside. @returns undefined when there are none */
  fund({ client, prefix, credits, vouched }: Wish, now: number): Funding | undefined {
    const tier = tierOfClaim(this.#claims.free(client));
    const wish = { client, prefix, credits };
    if (this.#claims.hold(client, credits)) return { ...wish, funds: 'claim', tier };
    if (!this.#gifts.hold(prefix, credits, now)) return undefined;
    const known = vouched && !this.#claims.knows(client);
    return known ? { ...wish, funds: 'word', tier: 'bronze' } : { ...wish, funds: 'gift', tier: 'newcomer' };
  }

  /** Ends what {@link fund} set aside: `used` of it was, the rest comes back. */
  settle({ funds, client, prefix, credits }: Funding, used: number, now: number): void {
    if (funds === 'claim') this.#claims.settle(client, credits, used);
    else if (funds !== 'friend') this.#gifts.settle(prefix, credits, used, now);
  }

  /** Milliseconds until the client's prefix may be given so many credits; undefined when that will never be. */
  waitMs({ prefix, credits }: Pick<Wish, 'prefix' | 'credits'>, now: number): number | undefined {
    return this.#gifts.waitMs(prefix, credits, now);
  }
}
