/** Objects and arrays within one another in a call; more is no call. */
const MAX_LEVELS = 32;

/** Finds where a JSON object or array ends that comes in pieces. It looks at brackets and quotes; whether it is JSON, a parser says. */
export class JsonScan {
  #at: number;
  #levels = 0;
  #quoted = false;
  #escaped = false;

  /** @param from where in the text it begins, with `{` or `[` */
  constructor(from: number) {
    this.#at = from;
  }

  /**
   * @param text all of it so far
   * @param most characters of it that are looked at
   * @returns the place behind its end; undefined while it goes on, or goes on behind them; -1 when it nests too deep
   */
  end(text: string, most: number): number | undefined {
    const to = Math.min(text.length, most);
    for (; this.#at < to; this.#at++) {
      this.#take(text.charAt(this.#at));
      if (this.#levels > MAX_LEVELS) return -1;
      if (this.#levels === 0) return ++this.#at;
    }
    return undefined;
  }

  #take(char: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#quoted && char === '\\') this.#escaped = true;
    else if (char === '"') this.#quoted = !this.#quoted;
    else if (this.#quoted) return;
    else if (char === '{' || char === '[') this.#levels++;
    else if (char === '}' || char === ']') this.#levels--;
  }
}
