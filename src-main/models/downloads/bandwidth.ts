import { TokenBucket } from '../../base/token-bucket.ts';

interface Taker {
  bytes: number;
  admit: () => void;
}

/** Bytes that may come at once after a pause, as milliseconds of the cap. */
const BURST_MS = 250;

/**
 * A cap on bytes per second that many share: a token bucket. Whoever takes more than there is leaves a debt, which delays
 * the next; takers are served in the order in which they came, so each line gets its turn.
 */
export class Bandwidth {
  readonly #now: () => number;
  readonly #takers: Taker[] = [];
  /** Absent without a cap. */
  #bucket: TokenBucket | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param perSecond null takes the cap away */
  limit(perSecond: number | null): void {
    const now = this.#now();
    const debt = this.#bucket?.debt(now) ?? 0;
    const burst = ((perSecond ?? 0) * BURST_MS) / 1_000;
    this.#bucket = perSecond === null ? undefined : new TokenBucket(perSecond, burst, now, -debt);
    this.#serve();
  }

  /**
   * Resolves when so many bytes may come.
   * @throws the signal's reason
   */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    if (!this.#bucket) return;
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const taker = { bytes, admit: resolve };
    this.#takers.push(taker);
    const leave = () => {
      const place = this.#takers.indexOf(taker);
      if (place >= 0) this.#takers.splice(place, 1); // else it was admitted just now
      this.#serve();
      resolve();
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#serve();
    await promise;
    signal.removeEventListener('abort', leave);
    signal.throwIfAborted();
  }

  #serve(): void {
    clearTimeout(this.#timer);
    while (this.#takers.length > 0 && this.#waitMs() === 0) {
      const taker = this.#takers.shift();
      this.#bucket?.spend(taker?.bytes ?? 0, this.#now());
      taker?.admit();
    }
    if (this.#takers.length > 0) this.#timer = setTimeout(() => this.#serve(), this.#waitMs());
  }

  /** Until there is no debt. */
  #waitMs(): number {
    return this.#bucket?.waitMs(0, this.#now()) ?? 0;
  }
}
