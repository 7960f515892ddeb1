/** Lets `rate` things per second through on average, and `burst` at once. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;
  /** The latest moment that was ever named: time before it has been paid for. */
  #latest: number;

  /**
   * @param now milliseconds of any clock, the same at every call
   * @param tokens how many are there at first; below 0 it is a debt. Default: the burst
   */
  constructor(ratePerSecond: number, burst: number, now: number, tokens = burst) {
    this.#rate = ratePerSecond;
    this.#burst = burst;
    this.#tokens = tokens;
    this.#at = now;
    this.#latest = now;
  }

  /** Takes `count` tokens if they are there. */
  take(count: number, now: number): boolean {
    this.#refill(now);
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** Takes `count` tokens, there or not: what is missing is a debt, which those who come later wait for. */
  spend(count: number, now: number): void {
    this.#refill(now);
    this.#tokens -= count;
  }

  /** Tokens that were taken and were not there; 0 when there is no debt. */
  debt(now: number): number {
    this.#refill(now);
    return Math.max(0, -this.#tokens);
  }

  /** Milliseconds until `count` tokens are there; 0 when they are. */
  waitMs(count: number, now: number): number {
    this.#refill(now);
    return Math.max(0, Math.ceil(((count - this.#tokens) / this.#rate) * 1000));
  }

  /** Whether nothing was taken for long enough that a new bucket would be the same. */
  isFull(now: number): boolean {
    this.#refill(now);
    return this.#tokens >= this.#burst;
  }

  #refill(now: number): void {
    // A clock that was set back goes on from there; one that is set right again gives nothing for what it jumps over.
    const since = now < this.#latest ? this.#at : this.#latest;
    const elapsed = Math.max(0, now - since);
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsed / 1000) * this.#rate);
    this.#at = now;
    this.#latest = Math.max(this.#latest, now);
  }
}

/** Between two sweeps. */
const SWEEP_MS = 1_000;

/**
 * One bucket per key, made on demand. Memory is bounded: at `capacity` keys the full ones are dropped (they would start
 * full again), and if none is full, a new key is refused.
 */
export class BucketMap {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #capacity: number;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(capacity = 4_096) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** The key's bucket, if it has one already. */
  peek(key: string): TokenBucket | undefined {
    return this.#buckets.get(key);
  }

  /** The key's bucket; undefined when there is room for no other. */
  get(key: string, rate: number, burst: number, now: number): TokenBucket | undefined {
    const known = this.#buckets.get(key);
    if (known) return known;
    if (this.#buckets.size >= this.#capacity) this.#dropFull(now);
    if (this.#buckets.size >= this.#capacity) return undefined;
    const bucket = new TokenBucket(rate, burst, now);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** At most once a second: at capacity every new key would look through all of them. A clock that was set back sweeps. */
  #dropFull(now: number): void {
    if (now >= this.#sweptAt && now < this.#sweptAt + SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
  }
}
