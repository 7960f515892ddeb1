/** Speed is that of the last so many milliseconds. */
const WINDOW_MS = 5_000;
const SLOT_MS = 250;
/** A younger meter would exaggerate. */
const LEAST_MS = 500;

/** How fast bytes have been coming of late. */
export class SpeedMeter {
  readonly #now: () => number;
  readonly #slots: { at: number; bytes: number }[] = [];
  #since: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Begins to measure anew. */
  reset(): void {
    this.#slots.length = 0;
    this.#since = this.#now();
  }

  add(bytes: number): void {
    const now = this.#now();
    const last = this.#slots.at(-1);
    if (last && now - last.at < SLOT_MS) last.bytes += bytes;
    else this.#slots.push({ at: now, bytes });
    this.#forget(now);
  }

  bytesPerSecond(): number {
    const now = this.#now();
    this.#forget(now);
    const bytes = this.#slots.reduce((sum, slot) => sum + slot.bytes, 0);
    const ms = Math.min(WINDOW_MS, Math.max(LEAST_MS, now - this.#since));
    return Math.round((bytes * 1_000) / ms);
  }

  #forget(now: number): void {
    while (this.#slots[0] && this.#slots[0].at < now - WINDOW_MS) this.#slots.shift();
  }
}
