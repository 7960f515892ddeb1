/** How long was recorded, without the pauses. */
export class ActiveClock {
  readonly #now: () => number;
  #before = 0;
  #since: number | undefined;

  /** @param now milliseconds that never go back. Default: since the page was opened */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Whole milliseconds. */
  get ms(): number {
    return Math.round(this.#before + (this.#since === undefined ? 0 : this.#now() - this.#since));
  }

  /** Idempotent. */
  run(): void {
    this.#since ??= this.#now();
  }

  /** Idempotent. */
  hold(): void {
    this.#before = this.ms;
    this.#since = undefined;
  }

  /** Stands at another time, and is held. */
  set(ms: number): void {
    this.#since = undefined;
    this.#before = ms;
  }
}
