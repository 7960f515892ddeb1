import type { Logger } from 'pino';

export interface OngoingWorkOptions {
  /** What one piece is of, for the log: «purchase». */
  what: string;
  /** Does the piece of that id; ends early where the signal says so. */
  work: (id: string, signal: AbortSignal) => Promise<void>;
  /** Keeps why a piece does not go on, beside its line in the log. Default: nothing more. */
  onFailed?: (id: string, error: unknown) => Promise<void>;
  log: Logger;
}

/** Pieces of work that go on by themselves, each once at a time, until they are done or this is closed. A resource. */
export class OngoingWork {
  readonly #options: OngoingWorkOptions;
  readonly #closing = new AbortController();
  /** By id. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(options: OngoingWorkOptions) {
    this.#options = options;
  }

  /** Aborted once it is closed: for work that is asked for, and not started here. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  has(id: string): boolean {
    return this.#going.has(id);
  }

  /** Begins a piece, unless it is under way, or all is closed. */
  start(id: string): void {
    if (this.#going.has(id) || this.signal.aborted) return;
    const going = this.#work(id).finally(() => this.#going.delete(id));
    this.#going.set(id, going);
  }

  /** Resolves when nothing goes on any more. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#going.values());
  }

  async #work(id: string): Promise<void> {
    const { what, work, onFailed, log } = this.#options;
    try {
      await work(id, this.signal);
    } catch (error) {
      if (this.signal.aborted) return;
      log.warn({ err: error, [what]: id }, `${what}: does not go on`);
      await onFailed?.(id, error).catch((err: unknown) =>
        log.error({ err, [what]: id }, `${what}: why it does not go on cannot be kept`),
      );
    }
  }
}
