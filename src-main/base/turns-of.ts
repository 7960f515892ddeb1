import { Turns } from './turns.ts';

/** {@link Turns} of each of many things, by its name. Nothing is kept of those that nobody wants anything of. */
export class TurnsOf {
  readonly #turns = new Map<string, { turns: Turns; wanted: number }>();

  /** Runs the work when everything before it has ended that was asked for under this name. @throws what the work throws */
  async take<T>(name: string, work: () => T | PromiseLike<T>): Promise<T> {
    const own = this.#turns.get(name) ?? { turns: new Turns(), wanted: 0 };
    this.#turns.set(name, own);
    own.wanted++;
    try {
      return await own.turns.take(work);
    } finally {
      if (--own.wanted === 0) this.#turns.delete(name);
    }
  }
}
