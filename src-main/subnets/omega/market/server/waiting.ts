/** Offers that wait to be looked at: one of each hotkey in turn, and what has failed before after all others. */
export class Waiting {
  /** The hotkey whose turn is next is first. */
  readonly #byHotkey = new Map<string, string[]>();
  readonly #again: string[] = [];

  /** @param again whether it was tried before, and failed */
  add({ id, hotkey }: { id: string; hotkey: string }, again: boolean): void {
    if (again) this.#again.push(id);
    else this.#byHotkey.set(hotkey, [...(this.#byHotkey.get(hotkey) ?? []), id]);
  }

  /** Takes the next one; undefined where none waits. */
  next(): string | undefined {
    const [turn] = this.#byHotkey;
    if (!turn) return this.#again.shift();
    const [hotkey, [id, ...rest]] = turn;
    this.#byHotkey.delete(hotkey);
    if (rest.length > 0) this.#byHotkey.set(hotkey, rest);
    return id;
  }
}
