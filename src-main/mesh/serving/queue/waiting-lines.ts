import type { Tier } from '../../../credits/tiers.ts';
import type { Job } from './job.ts';
import { NewcomerLine } from './newcomer-line.ts';
import { type QueueOptions, RequestQueue } from './queue.ts';
import { type TierWaits, WaitStats } from './wait-stats.ts';

export interface WaitingLinesOptions {
  queue?: QueueOptions | undefined;
  /** What newcomers of a network prefix have been given. */
  given: (prefix: string) => number;
  /** Milliseconds of any clock. */
  now: () => number;
}

/** Where requests wait for the engine: those of clients that are owed something by their tier, and behind them newcomers. */
export class WaitingLines {
  readonly #queue: RequestQueue<Job>;
  readonly #newcomers: NewcomerLine<Job>;
  readonly #stats = new WaitStats();
  readonly #now: () => number;

  constructor({ queue, given, now }: WaitingLinesOptions) {
    this.#queue = new RequestQueue(queue, this.#stats);
    this.#newcomers = new NewcomerLine({ given, stats: this.#stats, now: now() });
    this.#now = now;
  }

  /** How many wait in both. */
  get size(): number {
    return this.#queue.size + this.#newcomers.size;
  }

  /** How many newcomers wait: they have a line of their own, and take nobody's place. */
  get newcomers(): number {
    return this.#newcomers.size;
  }

  /** How many may wait that are no newcomers. */
  get capacity(): number {
    return this.#queue.capacity;
  }

  /** How long those that were served had waited, by tier. */
  waits(): TierWaits[] {
    return this.#stats.report();
  }

  /**
   * Puts a job that is paid for in its place.
   *
   * @returns how many are ahead of it
   * @throws QUEUE_FULL, RATE_LIMIT or BAD_REQUEST: see the two lines
   */
  add(job: Job): number {
    const { key: requestId, place } = job;
    if (!place) throw new TypeError('Nobody waits who is not paid for.');
    const { client, prefix, tier, isNewcomer } = place;
    if (!isNewcomer) return this.#queue.add({ requestId, client, tier, value: job }, this.#now());
    return this.#queue.size + this.#newcomers.add({ requestId, prefix, value: job }, this.#now());
  }

  /** Whom a client of this tier may put out of a queue that is full. */
  outrankedBy(client: string, tier: Tier): Job | undefined {
    return this.#queue.outranked({ client, tier })?.value;
  }

  /** Whom a newcomer that is paid for may put out of its line, if that is full. */
  outrankedByNewcomer(job: Job): Job | undefined {
    if (!job.place?.isNewcomer) return undefined;
    return this.#newcomers.outranked(job.place.prefix, this.#now())?.value;
  }

  /** Takes out who is next; undefined when nobody may start now. */
  take(): Job | undefined {
    return this.#queue.take(this.#now())?.value ?? this.#newcomers.take(this.#now())?.value;
  }

  /** Takes out a job that is no longer wanted. @returns whether it waited */
  remove({ key }: Job): boolean {
    return this.#queue.remove(key) !== undefined || this.#newcomers.remove(key);
  }

  /** A job had one of the engine's places for so long, in milliseconds. */
  used({ place }: Job, ms: number, parallel: number): void {
    if (place?.isNewcomer) this.#newcomers.used(ms, parallel, this.#now());
  }

  /** Milliseconds until newcomers may have the engine, though nobody else wants it: 0 when they may now, or none waits. */
  get newcomersWaitMs(): number {
    return this.#newcomers.size === 0 ? 0 : this.#newcomers.waitMs(this.#now());
  }

  /** Milliseconds that a job has to wait for its kind's share of the engine. */
  shareWaitMs({ place }: Job): number {
    return place?.isNewcomer ? this.#newcomers.waitMs(this.#now()) : 0;
  }

  /** Everybody who waits, the next one first. */
  *[Symbol.iterator](): Generator<Job, void, undefined> {
    for (const { value } of this.#queue) yield value;
    for (const { value } of this.#newcomers) yield value;
  }
}
