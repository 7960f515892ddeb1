import { LRUCache } from 'lru-cache';
import { TokenBucket } from '../../base/token-bucket.ts';

/** Clients that are remembered, connected or not. */
const CLIENTS = 1_024;

interface Rate {
  perSecond: number;
  burst: number;
}

/** One client's pace, and what it may send beyond that without being blamed for it. */
export interface Paced {
  readonly pace: TokenBucket;
  readonly excess: TokenBucket;
}

/** What a part of the worker remembers of each client, its pace among it: a new connection is no new client. */
export class PacedClients<T extends Paced> {
  readonly #options: { pace: Rate; excess: Rate; now: () => number; begin: (paced: Paced) => T };
  readonly #clients = new LRUCache<string, T>({ max: CLIENTS });

  /** @param options `begin`: what is remembered of a client that is seen for the first time; `now`: Unix milliseconds */
  constructor(options: { pace: Rate; excess: Rate; now: () => number; begin: (paced: Paced) => T }) {
    this.#options = options;
  }

  of(client: string): T {
    const known = this.#clients.get(client);
    if (known) return known;
    const { pace, excess, now, begin } = this.#options;
    const bucket = ({ perSecond, burst }: Rate) => new TokenBucket(perSecond, burst, now());
    const begun = begin({ pace: bucket(pace), excess: bucket(excess) });
    this.#clients.set(client, begun);
    return begun;
  }

  /** What is remembered of a client; undefined when nothing is. It does not count as seen. */
  peek(client: string): T | undefined {
    return this.#clients.peek(client);
  }

  values(): Iterable<T> {
    return this.#clients.values();
  }
}
