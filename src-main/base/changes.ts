/** Tells those who wait that something has changed. A change that comes while nobody waits is not lost to them. */
export class Changes {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** How many changes there were. */
  get count(): number {
    return this.#count;
  }

  tell(): void {
    this.#count++;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when there were more than `count` changes, when the signal ends it, or after `mostMs`. */
  async after(count: number, signal: AbortSignal, mostMs?: number): Promise<void> {
    if (this.#count > count || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
    this.#waiting.add(resolve);
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    signal.removeEventListener('abort', onAbort);
    this.#waiting.delete(resolve);
    clearTimeout(timer);
  }
}
