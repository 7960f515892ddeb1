import { Turns } from './turns.ts';

interface Running {
  id: string;
  stop: AbortController;
  ended: Promise<void>;
}

/** Long work that is kept by its id, one at a time: it goes on until it is done, stopped, or this is closed. */
export class LoneWork {
  /** Of what begins or removes one: each sees what the one before has begun. */
  readonly #turns = new Turns();
  readonly #onEnd: () => void;
  #running: Running | undefined;
  #isClosed = false;

  /** @param onEnd told whenever one has ended, however it did. Default: nobody is */
  constructor(onEnd: () => void = () => undefined) {
    this.#onEnd = onEnd;
  }

  /** Stops what runs, and begins nothing any more. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.ended();
    await this.#stop();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether one runs; with an id, whether that one does. */
  runs(id?: string): boolean {
    return this.#running !== undefined && (id === undefined || this.#running.id === id);
  }

  /** Begins or removes one, after whoever came before. @throws what the work throws */
  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(work);
  }

  /** Begins one, where none runs. @param work never throws */
  begin(id: string, work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    const ended = work(stop.signal).finally(() => {
      this.#running = undefined;
      this.#onEnd();
    });
    this.#running = { id, stop, ended };
  }

  /** Ends that one, if it runs, and waits for it. */
  async stop(id: string): Promise<void> {
    if (this.#running?.id === id) await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }
}
