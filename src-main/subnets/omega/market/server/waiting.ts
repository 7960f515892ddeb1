/** Offers that wait to be looked at: one of each seller (a coldkey: hotkeys are many and cheap) in turn, and what has failed before after all others. */
export class Waiting {
  /** The seller whose turn is next is first. */
  readonly #bySeller = new Map<string, string[]>();
  readonly #again: string[] = [];

  /** @param again whether it was tried before, and failed */
  add({ id, seller }: { id: string; seller: string }, again: boolean): void {
    if (again) this.#again.push(id);
    else this.#bySeller.set(seller, [...(this.#bySeller.get(seller) ?? []), id]);
  }

  /** Takes the next one; undefined where none waits. */
  next(): string | undefined {
    const [turn] = this.#bySeller;
    if (!turn) return this.#again.shift();
    const [seller, [id, ...rest]] = turn;
    this.#bySeller.delete(seller);
    if (rest.length > 0) this.#bySeller.set(seller, rest);
    return id;
  }
}
