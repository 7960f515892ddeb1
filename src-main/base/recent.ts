/** What was found out a moment ago, by its key. Beyond the most that are kept the oldest are forgotten. */
export class Recent<Value> {
  readonly #freshMs: number;
  readonly #now: () => number;
  readonly #most: number;
  readonly #known = new Map<string, { at: number; value: Value }>();

  /**
   * @param freshMs milliseconds for which a value is believed
   * @param now Unix milliseconds. Default `Date.now`
   * @param most values that are kept. Default 100
   */
  constructor(freshMs: number, now: () => number = Date.now, most = 100) {
    this.#freshMs = freshMs;
    this.#now = now;
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const found = this.#known.get(key);
    if (found && this.#now() - found.at < this.#freshMs) return found.value;
    this.#known.delete(key);
    return undefined;
  }

  set(key: string, value: Value): Value {
    this.#known.delete(key);
    this.#known.set(key, { at: this.#now(), value });
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    return value;
  }
}
