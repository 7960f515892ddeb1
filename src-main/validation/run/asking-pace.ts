import { TokenBucket } from '../../base/token-bucket.ts';

const HOUR_MS = 3_600_000;
/** Of what a miner is asked in an hour, so much at once: that of five minutes. */
const BURSTS_AN_HOUR = 12;
/** A miner that wants to be left alone for longer is asked again all the same: milliseconds. */
const MOST_REST_MS = 600_000;

/**
 * How often each miner may be asked: so many questions in an hour, and none before it wants to be asked again. Whoever answers at once would otherwise be
 * asked as fast as a computer can, and fill the database. All moments are milliseconds of one clock.
 */
export class AskingPace {
  readonly #asked = new Map<string, TokenBucket>();
  /** Until when miners want to be left alone. */
  readonly #rests = new Map<string, number>();
  #perHour: number;

  /** @param perHour questions that one miner is asked in an hour, more than 0 */
  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** Milliseconds after which it does not matter any more what a miner was asked. */
  get memoryMs(): number {
    return (this.#burst / this.#perHour) * HOUR_MS;
  }

  /** From now on so many an hour. What was asked lately counts on. */
  set(perHour: number, now: number): void {
    if (perHour === this.#perHour) return;
    const spent = [...this.#asked].map(([miner, bucket]) => ({ miner, count: this.#spent(bucket, now) }));
    this.#perHour = perHour;
    this.#asked.clear();
    this.takeOver(spent, now);
  }

  /** What miners were asked within {@link memoryMs}, in an earlier life: whoever begins anew does not begin with everything. */
  takeOver(asked: Iterable<{ miner: string; count: number }>, now: number): void {
    for (const { miner, count } of asked) this.#asked.set(miner, this.#bucket(now, Math.max(0, this.#burst - count)));
  }

  mayAsk(miner: string, now: number): boolean {
    return !this.isAtBound(miner, now) && this.restMs(miner, now) === 0;
  }

  /** Whether it was asked as often as it may be. */
  isAtBound(miner: string, now: number): boolean {
    return (this.#asked.get(miner)?.waitMs(1, now) ?? 0) > 0;
  }

  asked(miner: string, now: number): void {
    const bucket = this.#asked.get(miner) ?? this.#bucket(now);
    bucket.spend(1, now);
    this.#asked.set(miner, bucket);
  }

  /** It wants to be left alone for so long, of which ten minutes count; the longest of what it has said. */
  rest(miner: string, ms: number, now: number): void {
    const until = now + Math.min(ms, MOST_REST_MS);
    this.#rests.set(miner, Math.max(until, this.#rests.get(miner) ?? until));
  }

  /** For how long it is to be left alone; 0 where it may be asked. */
  restMs(miner: string, now: number): number {
    return Math.max(0, (this.#rests.get(miner) ?? now) - now);
  }

  /** Forgets what does not matter any more. */
  forget(now: number): void {
    for (const [miner, bucket] of this.#asked) if (bucket.isFull(now)) this.#asked.delete(miner);
    for (const [miner, until] of this.#rests) if (until <= now) this.#rests.delete(miner);
  }

  get #burst(): number {
    return Math.max(1, this.#perHour / BURSTS_AN_HOUR);
  }

  get #perSecond(): number {
    return (this.#perHour / HOUR_MS) * 1_000;
  }

  #bucket(now: number, tokens = this.#burst): TokenBucket {
    return new TokenBucket(this.#perSecond, this.#burst, now, tokens);
  }

  #spent(bucket: TokenBucket, now: number): number {
    return (bucket.waitMs(this.#burst, now) / 1_000) * this.#perSecond;
  }
}
