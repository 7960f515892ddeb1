/** What becomes of events that nobody takes. */
export interface EventFolding<T> {
  /** More wait never. */
  most: number;
  /** Makes fewer of those that wait. */
  fold: (events: T[]) => T[];
}

/**
 * Events from a producer that does not wait to a consumer that does. Bounded by its producer (a request's events are at
 * most as many as its tokens), or by folding those that wait into fewer.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  #events: T[] = [];
  readonly #folding: EventFolding<T> | undefined;
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(folding?: EventFolding<T>) {
    this.#folding = folding;
  }

  push(event: T): void {
    if (this.#end) return;
    this.#events.push(event);
    if (this.#folding && this.#events.length > this.#folding.most) this.#events = this.#folding.fold(this.#events);
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
