/** Does several things at a time, and no more: whoever finds no place waits, and comes in the order in which all came. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param count how many at a time, 1 or more */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Does the work once there is a place for it.
   * @param signal for the waiting alone
   * @throws the signal's reason; what the work throws
   */
  async take<Done>(work: () => Promise<Done>, signal?: AbortSignal): Promise<Done> {
    await this.#place(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #place(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(resolve);
      reject(signal?.reason);
    };
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** The place goes to the one who has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
