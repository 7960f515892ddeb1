import { setImmediate as aTurn } from 'node:timers/promises';

/** Somebody else gets a turn after so long, milliseconds. */
const SLICE_MS = 5;

/** Work in slices, with turns for others in between. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  #begun = performance.now();

  /** @param signal ends the work at its next turn */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether somebody else should have a turn: asked after each piece of work that takes a fraction of a slice. */
  get isOver(): boolean {
    return performance.now() - this.#begun > SLICE_MS;
  }

  /** Makes something of each, one after the other. @param make takes a fraction of a slice */
  async map<From, To>(from: readonly From[], make: (one: From) => To): Promise<To[]> {
    const made: To[] = [];
    for (const one of from) {
      made.push(make(one));
      if (this.isOver) await this.next();
    }
    return made;
  }

  /** Gives everybody else a turn. @throws the signal's reason */
  async next(): Promise<void> {
    await aTurn();
    this.#signal?.throwIfAborted();
    this.#begun = performance.now();
  }
}
