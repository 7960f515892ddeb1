import { setTimeout as sleep } from 'node:timers/promises';

export interface PaceOptions {
  /** Milliseconds of work in one go. Default 8. */
  sliceMs?: number;
  /** Milliseconds of rest for each millisecond of work: for what nobody waits for. Default 0. */
  rest?: number;
  signal?: AbortSignal | undefined;
}

/** Keeps long work from holding up the node: whoever does it asks to breathe between two small steps. */
export class Pace {
  readonly #sliceMs: number;
  readonly #rest: number;
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor({ sliceMs = 8, rest = 0, signal }: PaceOptions = {}) {
    this.#sliceMs = sliceMs;
    this.#rest = rest;
    this.#signal = signal;
  }

  /** Lets everything else have its turn if this slice is used up. @throws the signal's reason once it is aborted */
  async breathe(): Promise<void> {
    this.#signal?.throwIfAborted();
    const workedMs = performance.now() - this.#since;
    if (workedMs < this.#sliceMs) return;
    if (this.#rest > 0) await sleep(workedMs * this.#rest, undefined, { signal: this.#signal });
    else await new Promise(setImmediate);
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
