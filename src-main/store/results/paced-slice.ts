import type { Slice } from './results-queries.ts';

/** A slice that took longer holds somebody up, and is followed by half of one; one that took less, by twice as much. Milliseconds. */
const [LONG_MS, SHORT_MS] = [10, 3];
/** Of the largest slice, what is begun with, and what it never falls below. */
const [FIRST, LEAST] = [1 / 8, 1 / 64];

/** How much is done in one go: as much as takes some milliseconds on this machine. */
export class PacedSlice {
  readonly #most: Slice;
  #share = FIRST;

  constructor(most: Slice) {
    this.#most = most;
  }

  get now(): Slice {
    const of = (whole: number) => Math.max(1, Math.floor(whole * this.#share));
    return { rows: of(this.#most.rows), bytes: of(this.#most.bytes) };
  }

  /** @param ms that the last one took */
  took(ms: number): void {
    if (ms > LONG_MS) this.#share = Math.max(LEAST, this.#share / 2);
    if (ms < SHORT_MS) this.#share = Math.min(1, this.#share * 2);
  }
}
