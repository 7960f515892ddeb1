import type { InferenceBackend } from '../inference/backend.ts';

/** Counts what learning asks of the engine, so that it can be told from what others ask; and has it evaluated anew, so that what is compared is comparable. */
export class CountedEngines {
  #active = 0;

  /** Requests that are under way. */
  get active(): number {
    return this.#active;
  }

  /** The same engine, counted. */
  of(engine: InferenceBackend): InferenceBackend {
    const { score, tokenize } = engine;
    return {
      open: () => engine.open(),
      close: () => engine.close(),
      status: () => engine.status(),
      generate: (request, options) => this.#generate(engine, request, options),
      ...(score && {
        score: (request, options) => this.#during(() => score.call(engine, request, { ...options, fresh: true })),
      }),
      ...(tokenize && { tokenize: (input) => this.#during(() => tokenize.call(engine, input)) }),
    };
  }

  async *#generate(engine: InferenceBackend, ...[request, options]: Parameters<InferenceBackend['generate']>) {
    using _underWay = this.#begin();
    yield* engine.generate(request, { ...options, fresh: true });
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    using _underWay = this.#begin();
    return await work();
  }

  #begin(): Disposable {
    this.#active++;
    return { [Symbol.dispose]: () => void this.#active-- };
  }
}
