const NS = 1_000_000n;

/** Nonces of one dendrite: the time in Unix nanoseconds, each later than the one before, also where the clock was set back. */
export class NonceClock {
  readonly #now: () => number;
  #last = 0n;

  /** @param now Unix milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  next(): bigint {
    const time = BigInt(Math.floor(this.#now())) * NS;
    this.#last = time > this.#last ? time : this.#last + 1n;
    return this.#last;
  }
}
