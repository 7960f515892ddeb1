import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { TokenBucket } from '../../../base/token-bucket.ts';
import { queueFull } from './queue.ts';
import { WaitStats } from './wait-stats.ts';

/** Of one network prefix so many may wait at once: they share what it is given anyhow. */
const PER_PREFIX = 4;
/** Share of the engine's time that goes to newcomers, and how much of it may be used at once, in milliseconds. */
const SHARE = 0.5;
const AT_ONCE_MS = 60_000;
/** A newcomer that would wait longer than this for the engine's time to come is sent elsewhere, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

interface Newcomer<T> {
  requestId: string;
  /** See base/network-prefix.ts. */
  prefix: string;
  value: T;
}

export interface NewcomerLineOptions {
  /** Requests that may wait. Default 32. */
  capacity?: number;
  /** Credits that a prefix has been given. */
  given: (prefix: string) => number;
  /** Where the waits of those that are served are noted. Default: nowhere that anybody looks. */
  stats?: WaitStats;
  /** Milliseconds of any clock. */
  now: number;
}

/**
 * Where those wait to whom a worker owes nothing. They start when nobody waits to whom it owes something, for half of its time at
 * most: those first whose prefix was given least.
 */
export class NewcomerLine<T> {
  readonly #capacity: number;
  readonly #given: (prefix: string) => number;
  /** Milliseconds of the whole engine. */
  readonly #time: TokenBucket;
  readonly #stats: WaitStats;
  /** In the order of arrival. */
  readonly #waiting = new Map<string, Newcomer<T> & { since: number }>();

  constructor({ capacity = 32, given, stats = new WaitStats(), now }: NewcomerLineOptions) {
    this.#stats = stats;
    this.#capacity = capacity;
    this.#given = given;
    this.#time = new TokenBucket(SHARE * 1_000, AT_ONCE_MS, now);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Puts a newcomer in its place.
   *
   * @returns how many newcomers are ahead of it
   * @throws QUEUE_FULL when too many wait, RATE_LIMIT when too many of them are of this prefix, or when newcomers have had so much of
   * the engine's time that it would be long before the next
   */
  add(newcomer: Newcomer<T>, now: number): number {
    if (this.#waitingOf(newcomer.prefix) >= PER_PREFIX) throw tooMany(PER_PREFIX);
    if (this.size >= this.#capacity) throw queueFull(this.#capacity);
    const waitMs = this.waitMs(now);
    if (waitMs > LONGEST_WAIT_MS) throw hadTheirShare(waitMs);
    const waiting = { ...newcomer, since: now };
    this.#waiting.set(newcomer.requestId, waiting);
    return this.#inOrder().indexOf(waiting);
  }

  /**
   * Takes out who is next.
   *
   * @returns undefined when nobody waits, or when newcomers have had their share of the time
   */
  take(now: number): Newcomer<T> | undefined {
    if (this.size === 0 || this.#time.debt(now) > 0) return undefined;
    const [next] = this.#inOrder();
    if (!next) return undefined;
    this.#waiting.delete(next.requestId);
    this.#stats.record('newcomer', Math.max(0, now - next.since));
    return next;
  }

  /**
   * Whom a newcomer may put out where there is no room; undefined when nobody. Prefixes that were given less than its own keep their
   * places; one that was given more gives way while more of its requests wait than of the newcomer's, one that was given as much while two
   * more do, or they would put each other out in turn. Of those it is the latest request of the one that was given most. So a few prefixes
   * that nobody knows yet cannot hold the line.
   */
  outranked(prefix: string, now: number): Newcomer<T> | undefined {
    if (this.size < this.#capacity || this.waitMs(now) > LONGEST_WAIT_MS) return undefined;
    const [had, waiting] = [this.#given(prefix), this.#waitingOf(prefix)];
    const hasMore = ({ prefix: other }: Newcomer<T>) => {
      const more = this.#given(other) - had;
      return more >= 0 && this.#waitingOf(other) > waiting + (more > 0 ? 0 : 1);
    };
    const byShare = (a: Newcomer<T>, b: Newcomer<T>) =>
      this.#given(a.prefix) - this.#given(b.prefix) || this.#waitingOf(a.prefix) - this.#waitingOf(b.prefix);
    return [...this.#waiting.values()].filter(hasMore).sort(byShare).at(-1);
  }

  /** Takes out a request that is no longer wanted. @returns whether it waited here */
  remove(requestId: string): boolean {
    return this.#waiting.delete(requestId);
  }

  /** A newcomer had one of the engine's places for so long. @param parallel how many places there are */
  used(ms: number, parallel: number, now: number): void {
    this.#time.spend(ms / parallel, now);
  }

  /** Milliseconds until newcomers may have the engine again. */
  waitMs(now: number): number {
    return this.#time.waitMs(0, now);
  }

  /** Everybody who waits, the next one first. */
  [Symbol.iterator](): Iterator<Newcomer<T>> {
    return this.#inOrder().values();
  }

  #waitingOf(prefix: string): number {
    return [...this.#waiting.values()].filter((other) => other.prefix === prefix).length;
  }

  /** Those of the least-given prefix first; among them, and of each, in the order of arrival. */
  #inOrder(): (Newcomer<T> & { since: number })[] {
    const had = new Map([...this.#waiting.values()].map(({ prefix }) => [prefix, this.#given(prefix)]));
    return [...this.#waiting.values()].sort((a, b) => (had.get(a.prefix) ?? 0) - (had.get(b.prefix) ?? 0));
  }
}

function tooMany(most: number): QuarryError {
  const message = say('mesh.tooManyOfNetwork', { perNetwork: most });
  return new QuarryError({ code: 'RATE_LIMIT', message, hint: say('mesh.waitForOne'), retryable: true });
}

function hadTheirShare(retryAfterMs: number): QuarryError {
  const message = say('mesh.newcomersHadTheirShare');
  return new QuarryError({ code: 'RATE_LIMIT', message, retryable: true, retryAfterMs });
}
