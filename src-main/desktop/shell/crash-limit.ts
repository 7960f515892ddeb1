const MAX_CRASHES = 3;
const WINDOW_MS = 60_000;

/** Says how often something may be started again: three times within a minute. */
export class CrashLimit {
  readonly #now: () => number;
  #crashes: number[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a crash. @returns whether to try again */
  mayRetry(): boolean {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
    return this.#crashes.length <= MAX_CRASHES;
  }
}
