/**
 * Events from a producer that does not wait to a consumer that does. Bounded by its producer: a request's events are at
 * most as many as its tokens.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(event: T): void {
    if (this.#end) return;
    this.#events.push(event);
    this.#wake?.();
  }

  /** The consumer sees what is already queued, then the end. */
  end(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The consumer sees what is already queued, then the error. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    while (true) {
      yield* this.#events.splice(0);
      if (this.#events.length > 0) continue;
      if (this.#end) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#end?.error !== undefined) throw this.#end.error;
  }
}
