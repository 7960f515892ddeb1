import type { Logger } from 'pino';
import type { WeightsView } from '../../../src-preload/contract/validator.ts';

export interface LastWeightsOptions {
  /** Reads every result. */
  reckon: () => Promise<WeightsView>;
  log: Pick<Logger, 'error'>;
  /** Milliseconds, of a clock that only goes on. Default: performance.now. */
  now?: () => number;
}

/** Milliseconds for which weights are not reckoned again. */
const FRESH_MS = 60_000;
/** After a failure. */
const AGAIN_MS = 5_000;
/** What is older than that is not told: whoever asks waits. */
const OLD_MS = 600_000;

/** Weights as they were reckoned last. Whoever asks has these at once, while they are renewed behind them; only where there are none yet, or old ones, do they wait. A resource. */
export class LastWeights {
  readonly #options: LastWeightsOptions;
  #last: { at: number; view: WeightsView } | undefined;
  #renewal: Promise<void> | undefined;
  #due = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: LastWeightsOptions) {
    this.#options = options;
  }

  /** Milliseconds since they were reckoned; NaN where that was never. */
  get age(): number {
    return this.#last ? this.#now() - this.#last.at : Number.NaN;
  }

  /** Where they cannot be reckoned, the last ones, or undefined. Never throws. */
  async read(): Promise<WeightsView | undefined> {
    if (!this.#isClosed && this.#now() >= this.#due) this.#renewal ??= this.#renew();
    if (!this.#last || this.age > OLD_MS) await this.#renewal;
    return this.#last?.view;
  }

  /** Reckons no more, and waits for what is being reckoned: it asks a database that is closed next. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#renewal;
  }

  async #renew(): Promise<void> {
    const at = this.#now();
    try {
      this.#last = { at, view: await this.#options.reckon() };
      this.#due = at + FRESH_MS;
      this.#hasFailed = false;
    } catch (err) {
      this.#due = this.#now() + AGAIN_MS;
      if (!this.#hasFailed) this.#options.log.error({ err }, 'weights cannot be reckoned for /metrics');
      this.#hasFailed = true;
    } finally {
      this.#renewal = undefined;
    }
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}
