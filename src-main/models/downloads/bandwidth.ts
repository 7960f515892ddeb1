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
  #perSecond: number | null = null;
  #tokens = 0;
  #filledAt: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#filledAt = now();
  }

  /** @param perSecond null takes the cap away */
  limit(perSecond: number | null): void {
    this.#fill();
    this.#perSecond = perSecond;
    this.#tokens = Math.min(this.#tokens, 0);
    this.#serve();
  }

  /**
   * Resolves when so many bytes may come.
   * @throws the signal's reason
   */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#perSecond === null) return;
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
    this.#fill();
    clearTimeout(this.#timer);
    while (this.#takers.length > 0 && (this.#perSecond === null || this.#tokens >= 0)) {
      const taker = this.#takers.shift();
      this.#tokens -= this.#perSecond === null ? 0 : (taker?.bytes ?? 0);
      taker?.admit();
    }
    if (this.#perSecond === null || this.#takers.length === 0) return;
    this.#timer = setTimeout(() => this.#serve(), Math.ceil((-this.#tokens * 1_000) / this.#perSecond));
  }

  #fill(): void {
    const now = this.#now();
    const perMs = (this.#perSecond ?? 0) / 1_000;
    this.#tokens = Math.min(BURST_MS * perMs, this.#tokens + (now - this.#filledAt) * perMs);
    this.#filledAt = now;
  }
}
