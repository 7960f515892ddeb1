/** Those who want to be told of something. */
export class ListenerSet<Arguments extends unknown[] = []> {
  readonly #listeners = new Set<(...news: Arguments) => void>();

  /** @returns what ends that; to call it again does nothing */
  subscribe(listener: (...news: Arguments) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Tells all of them, in the order in which they came. One that throws does not stop the others: its error, the first if
   * there are several, is thrown when all were told.
   */
  tell(...news: Arguments): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(...news);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Nobody is told any more. */
  clear(): void {
    this.#listeners.clear();
  }
}
