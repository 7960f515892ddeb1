/** What one node grants others. Every figure has a default; see docs/protocol.md for what a peer should expect. */
export interface Limits {
  /** Open connections, in and out together. Default 128. */
  connections: number;
  /** Open connections with one host. Loopback is exempt: whoever is there owns the machine. Default 16. */
  connectionsPerHost: number;
  /** Handshakes that one host may start per second, and at once. Loopback is exempt. Default 5 and 20. */
  handshakesPerSecond: number;
  handshakeBurst: number;
  /** Milliseconds from connection to a valid hello. Default 10,000. */
  helloTimeoutMs: number;
  /** Frames that one peer may send per second on one network, and at once. Default 4,000 and 8,000. */
  framesPerSecond: number;
  frameBurst: number;
  /** Bytes that one peer may send per second on one network, and at once. Default 8 MiB and 16 MiB. */
  bytesPerSecond: number;
  byteBurst: number;
  /** Bytes that wait for a peer that reads too slowly before it is dropped. Default 4 MiB. */
  outQueueBytes: number;
  /** Milliseconds between two pings. Default 2,000. */
  pingIntervalMs: number;
  /**
   * Milliseconds without a frame after which a peer counts as gone. Default 8,000: a killed worker says no goodbye, and a
   * client that waits for its answer should not wait long.
   */
  silenceMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  connections: 128,
  connectionsPerHost: 16,
  handshakesPerSecond: 5,
  handshakeBurst: 20,
  helloTimeoutMs: 10_000,
  framesPerSecond: 4_000,
  frameBurst: 8_000,
  bytesPerSecond: 8 * 1024 * 1024,
  byteBurst: 16 * 1024 * 1024,
  outQueueBytes: 4 * 1024 * 1024,
  pingIntervalMs: 2_000,
  silenceMs: 8_000,
};

/** Lets `rate` things per second through on average, and `burst` at once. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(ratePerSecond: number, burst: number, now: number) {
    this.#rate = ratePerSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes `count` tokens if they are there. */
  take(count: number, now: number): boolean {
    this.#refill(now);
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
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
    const elapsed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsed / 1000) * this.#rate);
    this.#at = now;
  }
}

/**
 * One bucket per key, made on demand. Memory is bounded: at `capacity` keys the full ones are dropped (they would start
 * full again), and if none is full, a new key is refused.
 */
export class BucketMap {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #capacity: number;

  constructor(capacity = 4_096) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#buckets.size;
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

  #dropFull(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
  }
}
