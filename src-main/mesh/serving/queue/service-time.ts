/** Weight of the newest request in the moving averages. */
const NEWEST = 0.2;

/** Moving averages over served requests: what a client may expect here. */
export class ServiceTime {
  readonly #assumedMs: number;
  #averageMs: number | undefined;
  #tokensPerSecond: number | undefined;

  /** @param assumedMs milliseconds to assume before anything was served. Default 5,000 */
  constructor(assumedMs = 5_000) {
    this.#assumedMs = assumedMs;
  }

  /** Milliseconds from the start of decoding to the end; undefined until a request was served. */
  get averageMs(): number | undefined {
    return this.#averageMs;
  }

  /** Generated tokens per second of one request; undefined until a request was served. */
  get tokensPerSecond(): number | undefined {
    return this.#tokensPerSecond;
  }

  record(ms: number, tokensPerSecond: number): void {
    this.#averageMs = blend(this.#averageMs, ms);
    if (tokensPerSecond > 0 && tokensPerSecond < Number.POSITIVE_INFINITY)
      this.#tokensPerSecond = blend(this.#tokensPerSecond, tokensPerSecond);
  }

  /**
   * Milliseconds until a request with `ahead` others before it starts: `parallel` are served at a time, `running` now, and
   * on average one ends every `averageMs / parallel`.
   */
  expectedWaitMs(ahead: number, running: number, parallel: number): number {
    const places = Math.max(1, parallel);
    const mustEnd = Math.max(0, ahead + 1 - Math.max(0, places - running));
    return Math.round((mustEnd * (this.#averageMs ?? this.#assumedMs)) / places);
  }
}

function blend(average: number | undefined, value: number): number {
  return average === undefined ? value : average + NEWEST * (value - average);
}
