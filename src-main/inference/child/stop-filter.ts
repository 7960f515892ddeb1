/**
 * Lets text through up to the stop string that is complete first. Text that may be the beginning of one is held back, so that no part of
 * a stop string is ever seen, however the text is cut into pieces.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** @returns the text that is safe to show now, and whether a stop string was met (then no more may be pushed) */
  push(text: string): { text: string; stopped: boolean } {
    const all = this.#held + text;
    const at = this.#firstStop(all);
    if (at !== undefined) {
      this.#held = '';
      return { text: all.slice(0, at), stopped: true };
    }
    const safe = all.length - this.#heldLength(all);
    this.#held = all.slice(safe);
    return { text: all.slice(0, safe), stopped: false };
  }

  /** What was held back, once it is certain that no more text comes. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Where the stop string begins that is complete first: which one that is does not depend on how the text is cut. */
  #firstStop(text: string): number | undefined {
    const found = this.#stops
      .map((stop) => ({ at: text.indexOf(stop), length: stop.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at + a.length - (b.at + b.length) || a.at - b.at);
    return found[0]?.at;
  }

  /** Length of the longest end of the text that a stop string begins with. */
  #heldLength(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
