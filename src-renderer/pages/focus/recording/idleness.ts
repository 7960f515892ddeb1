/** As the rules that score a recording have it: below it nothing happened. Blocks that changed. */
const LEAST_MOTION = 2;

/** For how long nobody did anything. */
export class Idleness {
  readonly #now: () => number;
  #lastAt: number;
  /** The computer tells when it was used last: then a film that moves is nobody at work. */
  #isTold = false;
  /** Milliseconds after which nobody counts as there; 0 for never. */
  afterMs = 0;

  /** @param now milliseconds that never go back. Default: since the page was opened */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#lastAt = now();
  }

  /** What was seen in the last second. @param motion blocks that changed @param used whether keys or mouse were, in this page */
  saw({ motion, used }: { motion: number; used: boolean }): void {
    if (used || (motion >= LEAST_MOTION && !this.#isTold)) this.#lastAt = this.#now();
  }

  /** Milliseconds since this computer was used, as it tells; null where it does not. */
  heard(idleMs: number | null): void {
    this.#isTold = idleMs !== null;
    if (idleMs !== null) this.#lastAt = Math.max(this.#lastAt, this.#now() - idleMs);
  }

  /** Somebody is there. */
  begin(): void {
    this.#lastAt = this.#now();
  }

  get isIdle(): boolean {
    return this.afterMs > 0 && this.#now() - this.#lastAt >= this.afterMs;
  }
}
