import { backOffMs } from '../base/back-off.ts';

export interface CrashBreakerOptions {
  /** Failures within the window that open the breaker. Default 3. */
  failures?: number;
  /** Milliseconds. Default 60,000. */
  windowMs?: number;
  /** Milliseconds before the first restart; each further one waits four times as long. Default 250. */
  restartDelayMs?: number;
  /** Milliseconds that an open breaker waits before it lets one try through. Default 30,000. */
  probeDelayMs?: number;
}

const GROWTH = 4;

/**
 * When to start a process that died again: soon, then later, then not at all until a probe succeeds or a person asks.
 * Rules only; whoever owns the process owns the timer.
 */
export class CrashBreaker {
  readonly #failuresToOpen: number;
  readonly #windowMs: number;
  readonly #restartDelayMs: number;
  readonly #probeDelayMs: number;
  readonly #now: () => number;
  #failures: number[] = [];
  #open = false;

  constructor(now: () => number, options: CrashBreakerOptions = {}) {
    this.#now = now;
    this.#failuresToOpen = options.failures ?? 3;
    this.#windowMs = options.windowMs ?? 60_000;
    this.#restartDelayMs = options.restartDelayMs ?? 250;
    this.#probeDelayMs = options.probeDelayMs ?? 30_000;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** What opens it: so many failures within so many seconds. */
  get limit(): { failures: number; seconds: number } {
    return { failures: this.#failuresToOpen, seconds: this.#windowMs / 1000 };
  }

  /** Counts a failure. @returns milliseconds until the next try, which is a probe when the breaker is open */
  fail(): number {
    const now = this.#now();
    this.#failures = [...this.#failures.filter((at) => now - at < this.#windowMs), now];
    if (this.#failures.length >= this.#failuresToOpen) this.#open = true;
    if (this.#open) return this.#probeDelayMs;
    return backOffMs(this.#failures.length, { firstMs: this.#restartDelayMs, growth: GROWTH });
  }

  /** The process runs again. Earlier failures still count inside their window, unless this was a probe. */
  recovered(): void {
    if (this.#open) this.reset();
  }

  reset(): void {
    this.#open = false;
    this.#failures = [];
  }
}
