/** Work under way that nobody waits for one by one, but whoever closes waits for all of it. */
export class TaskSet {
  readonly #running = new Set<Promise<unknown>>();

  get size(): number {
    return this.#running.size;
  }

  /**
   * Keeps a task until it ends.
   * @returns the same work; when it may fail, that is for the caller to hear and to handle
   */
  add<T>(task: Promise<T>): Promise<T> {
    const done = task.finally(() => this.#running.delete(done));
    this.#running.add(done);
    return done;
  }

  /** Keeps work that is no promise, until the result is disposed of. */
  begin(): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    void this.add(promise);
    return { [Symbol.dispose]: resolve };
  }

  /** Resolves when no task runs, nor any that was added meanwhile. Never rejects. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
