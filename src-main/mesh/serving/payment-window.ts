import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Changes } from '../../base/changes.ts';
import { costOf } from '../../credits/score/points.ts';

/** Credits that an answer may be ahead of what its client has pledged: the most that a worker can lose. */
const WINDOW_CREDITS = 1;
/** Milliseconds that a client may leave an answer standing at the end of its window. */
const PATIENCE_MS = 15_000;

/** Holds an answer back where it would run further ahead of its client's pledge than a worker may lose. */
export class PaymentWindow {
  readonly #changes = new Changes();
  #pledged = 0;

  /** Credits that the client has pledged. */
  get pledged(): number {
    return this.#pledged;
  }

  /** The client has pledged so many credits in all. */
  open(credits: number): void {
    this.#pledged = Math.max(this.#pledged, credits);
    this.#changes.tell();
  }

  /**
   * Resolves when the client may have so many tokens in all, or when the signal aborts.
   *
   * @throws NO_CREDIT when the client does not sign in time
   */
  async room(tokens: number, signal: AbortSignal): Promise<void> {
    const owed = costOf(tokens) - WINDOW_CREDITS;
    while (owed > this.#pledged && !signal.aborted) {
      const { count } = this.#changes;
      await this.#changes.after(count, signal, PATIENCE_MS);
      if (this.#changes.count === count && !signal.aborted) throw notPledged(owed);
    }
  }
}

function notPledged(owed: number): QuarryError {
  return new QuarryError({ code: 'NO_CREDIT', message: say('mesh.notPledged', { owed }), retryable: true });
}
