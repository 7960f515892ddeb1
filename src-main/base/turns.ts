/** Does one thing after the other, in the order in which they were asked for. What fails fails for its own caller only. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when everything before it has ended. @throws what the work throws */
  take<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.then(nothing, nothing); // whoever took the turn hears of its failure
    return turn;
  }

  /** Resolves when everything that was asked for so far has ended. Never rejects. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

function nothing(): void {}
