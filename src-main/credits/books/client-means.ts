import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { networkPrefix } from '../../base/network-prefix.ts';
import type { Funding, Standing, Terms } from '../credits.ts';
import { tokensFor } from '../price.ts';
import { tierOfClaim } from '../standing/claims.ts';
import type { Wish } from '../standing/funding.ts';
import type { GiftRule } from '../standing/gifts.ts';
import type { BookOptions } from './book-options.ts';
import { Voices } from './voices.ts';

/** Credits that a friend may be given: where everybody is served, without limit. */
const WITHOUT_LIMIT = 1_000_000;

export interface ClientMeansOptions extends Pick<BookOptions, 'identity' | 'dues' | 'now'> {
  /** Confirmed points of another node and their tier, from memory. */
  standing: (id: string) => Standing;
  /** What a stranger's network prefix is given. */
  gifts: GiftRule;
  /** Everybody is served without limit, in the order of the tier of confirmed points: for a mesh of friends. */
  friends: boolean;
}

/** What clients may have here: by what this node owes them, as a gift, or as friends. All of it from memory. */
export class ClientMeans {
  readonly #options: ClientMeansOptions;
  readonly #voices: Voices;

  constructor(options: ClientMeansOptions) {
    this.#options = options;
    this.#voices = new Voices(options.dues.claims);
  }

  standing(client: string): Standing {
    const { standing, friends, identity, dues } = this.#options;
    const confirmed = standing(client);
    if (friends || client === identity.id) return confirmed;
    return { points: confirmed.points, tier: tierOfClaim(dues.claims.free(client)) };
  }

  /** What a client that comes from this address is told of it. */
  terms(client: string, host: string): Terms {
    const { dues, friends, now } = this.#options;
    const gift = friends ? WITHOUT_LIMIT : dues.gifts.left(networkPrefix(host), now());
    return { owed: Math.max(0, dues.claims.owed(client)), gift, ...this.#voices.at(now()) };
  }

  /** Credits that a network prefix was given and has not been forgiven yet. */
  given(prefix: string): number {
    const { dues, now } = this.#options;
    return dues.gifts.level(prefix, now());
  }

  /** Sets the credits for a request aside. @throws NO_CREDIT when the client may not have so many */
  fund(wish: Wish): Funding {
    const { dues, friends, now } = this.#options;
    const { client, prefix, credits } = wish;
    if (friends) return { funds: 'friend', tier: this.standing(client).tier, client, prefix, credits };
    const funding = dues.till.fund(wish, now());
    if (!funding) throw this.#noCredit(wish);
    return funding;
  }

  /** NO_CREDIT, with the time until there is room for the client's prefix; without it when there never will be. */
  #noCredit({ client, prefix, credits: cost }: Wish): QuarryError {
    const { dues, gifts, now } = this.#options;
    const owed = Math.max(0, dues.claims.free(client));
    const message = say('credits.short', { cost, owed });
    const retryAfterMs = dues.till.waitMs({ prefix, credits: cost }, now());
    if (retryAfterMs !== undefined) {
      const hint = say('credits.giftLater', { perDay: gifts.perDay });
      return new QuarryError({ code: 'NO_CREDIT', message, hint, retryable: true, retryAfterMs });
    }
    const hint = say('credits.askLess', { most: tokensFor(Math.max(owed, gifts.most)) });
    return new QuarryError({ code: 'NO_CREDIT', message, hint, retryable: false });
  }
}
