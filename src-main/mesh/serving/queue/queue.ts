import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../../src-preload/contract/saying.ts';
import { type Tier, tierRank } from '../../../credits/tiers.ts';
import { SortedBlocks } from './sorted-blocks.ts';
import { type TierWaits, WaitStats } from './wait-stats.ts';

/** A tier is worth this many milliseconds of waiting: who waited 90 s as a newcomer is served before a new master. */
export const MS_PER_RANK = 15_000;

/** What waits. */
export interface QueueItem<T> {
  requestId: string;
  client: string;
  tier: Tier;
  value: T;
}

interface Waiting<T> extends QueueItem<T> {
  enqueuedAt: number;
  /** Order: arrival, moved forward by rank. It never changes, so ageing needs no re-sorting. */
  key: number;
  seq: number;
}

export interface QueueOptions {
  /** Requests that may wait. Default 64. */
  capacity?: number;
  /** Requests of one client that may wait. Default 3. */
  perClient?: number;
}

/**
 * Who is served next (QMesh, §Queue): tier first, then order of arrival; and waiting counts, 15 s like one tier, so that
 * nobody starves. Time comes in as an argument.
 */
export class RequestQueue<T> {
  readonly #capacity: number;
  readonly #perClient: number;
  readonly #order = new SortedBlocks<Waiting<T>>((a, b) => a.key - b.key || a.seq - b.seq);
  readonly #byRequest = new Map<string, Waiting<T>>();
  readonly #byClient = new Map<string, number>();
  readonly #stats: WaitStats;
  #seq = 0;
  #latest = Number.NEGATIVE_INFINITY;

  /** @param stats where the waits of those that are served are noted. Default: this queue's own */
  constructor(options: QueueOptions = {}, stats = new WaitStats()) {
    this.#stats = stats;
    this.#capacity = options.capacity ?? 64;
    this.#perClient = options.perClient ?? 3;
  }

  get size(): number {
    return this.#order.size;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** How long those that were served had waited, by tier, since the start. */
  waits(): TierWaits[] {
    return this.#stats.report();
  }

  /**
   * Puts a request in its place.
   *
   * @param now milliseconds of any clock
   * @returns how many are ahead of it
   * @throws QUEUE_FULL when too many wait, RATE_LIMIT when too many of them are this client's, BAD_REQUEST when it waits already
   */
  add(item: QueueItem<T>, now: number): number {
    this.#refuse(item);
    // A clock that is set back must not let a newcomer of the same tier overtake.
    this.#latest = Math.max(this.#latest, now);
    const key = this.#latest - tierRank(item.tier) * MS_PER_RANK;
    const waiting = { ...item, enqueuedAt: this.#latest, key, seq: this.#seq++ };
    this.#order.insert(waiting);
    this.#byRequest.set(item.requestId, waiting);
    this.#byClient.set(item.client, this.waitingOf(item.client) + 1);
    return this.#order.rank(waiting);
  }

  /** Takes out who is next. */
  take(now: number): QueueItem<T> | undefined {
    const next = this.#order.shift();
    if (!next) return undefined;
    this.#forget(next);
    this.#stats.record(next.tier, Math.max(0, now - next.enqueuedAt));
    return next;
  }

  /** Takes out a request that is no longer wanted. */
  remove(requestId: string): QueueItem<T> | undefined {
    const waiting = this.#byRequest.get(requestId);
    if (!waiting) return undefined;
    this.#order.remove(waiting);
    this.#forget(waiting);
    return waiting;
  }

  /** How many are ahead; undefined when the request does not wait here. */
  position(requestId: string): number | undefined {
    const waiting = this.#byRequest.get(requestId);
    return waiting && this.#order.rank(waiting);
  }

  /** Whom a request of this tier may put out where there is no room: the last one of the lowest tier that waits, if that is lower. */
  outranked({ client, tier }: Pick<QueueItem<T>, 'client' | 'tier'>): QueueItem<T> | undefined {
    if (this.waitingOf(client) >= this.#perClient) return undefined;
    let lowest: QueueItem<T> | undefined;
    for (const waiting of this.#order) {
      if (!lowest || tierRank(waiting.tier) <= tierRank(lowest.tier)) lowest = waiting;
    }
    return lowest && tierRank(lowest.tier) < tierRank(tier) ? lowest : undefined;
  }

  waitingOf(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** Everything that waits, next one first. */
  [Symbol.iterator](): Iterator<QueueItem<T>> {
    return this.#order[Symbol.iterator]();
  }

  #refuse({ requestId, client }: QueueItem<T>): void {
    if (this.#byRequest.has(requestId)) throw badRequest(say('mesh.waitsAlready', { requestId }));
    if (this.size >= this.#capacity) throw queueFull(this.#capacity);
    if (this.waitingOf(client) >= this.#perClient) throw tooMany(this.#perClient);
  }

  #forget({ requestId, client }: Waiting<T>): void {
    this.#byRequest.delete(requestId);
    const left = this.waitingOf(client) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}

function badRequest(message: Words): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message });
}

/** QUEUE_FULL: so many wait already. */
export function queueFull(capacity: number): QuarryError {
  const message = say('mesh.queueFull', { capacity });
  return new QuarryError({ code: 'QUEUE_FULL', message, retryable: true });
}

function tooMany(perClient: number): QuarryError {
  const message = say('mesh.tooMany', { perClient });
  return new QuarryError({ code: 'RATE_LIMIT', message, hint: say('mesh.waitForOne'), retryable: true });
}
