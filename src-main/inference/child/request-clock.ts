import { performance } from 'node:perf_hooks';

/** When what happened to a request, in milliseconds since the engine got it. */
export class RequestClock {
  readonly #asked = performance.now();
  #started = this.#asked;
  #first: number | undefined;

  start(): void {
    this.#started = performance.now();
  }

  firstToken(): void {
    this.#first = performance.now();
  }

  read(): { queuedMs: number; firstTokenMs: number; totalMs: number } {
    const end = performance.now();
    return {
      queuedMs: this.#started - this.#asked,
      firstTokenMs: (this.#first ?? end) - this.#asked,
      totalMs: end - this.#asked,
    };
  }
}
