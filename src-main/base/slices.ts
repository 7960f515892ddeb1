import { setImmediate as aTurn } from 'node:timers/promises';

/** Somebody else gets a turn after so long, milliseconds. */
const SLICE_MS = 5;

/** Work in slices, with turns for others in between. */
export class Slices {
  #begun = performance.now();

  /** Whether somebody else should have a turn: asked after each piece of work that takes a fraction of a slice. */
  get isOver(): boolean {
    return performance.now() - this.#begun > SLICE_MS;
  }

  /** Gives everybody else a turn. */
  async next(): Promise<void> {
    await aTurn();
    this.#begun = performance.now();
  }
}
