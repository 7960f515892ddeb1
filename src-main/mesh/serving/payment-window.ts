import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Changes } from '../../base/changes.ts';
import { costOf } from '../../credits/price.ts';
import type { PledgeMessage } from '../inference/messages.ts';

/** Credits that an answer may be ahead of what its client has pledged: the most that a worker can lose. */
const WINDOW_CREDITS = 1;
/** Milliseconds that a client may leave an answer standing: before it has signed for anything, and in all. */
const FIRST_PATIENCE_MS = 5_000;
const PATIENCE_MS = 15_000;

/** Holds an answer back where it would run further ahead of its client's pledge than a worker may lose. */
export class PaymentWindow {
  readonly #changes = new Changes();
  readonly #now: () => number;
  #pledged = 0;
  #stoodMs = 0;

  /** @param now milliseconds of any clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Credits that the client has pledged. */
  get pledged(): number {
    return this.#pledged;
  }

  /** Milliseconds that the answer has waited for pledges, in all. */
  get stoodMs(): number {
    return this.#stoodMs;
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
    const owed = costOf({ completionTokens: tokens }) - WINDOW_CREDITS;
    while (owed > this.#pledged && !signal.aborted) {
      const from = this.#now();
      const { count } = this.#changes;
      const patienceMs = Math.max(0, (this.#pledged === 0 ? FIRST_PATIENCE_MS : PATIENCE_MS) - this.#stoodMs);
      await this.#changes.after(count, signal, patienceMs);
      this.#stoodMs += Math.max(0, this.#now() - from);
      if (this.#changes.count === count && !signal.aborted) throw notPledged(owed);
    }
  }
}

/** The pledges of one request on their way to the books: one at a time, and of those that come meanwhile the greatest. */
export class PledgeLine {
  readonly #window: PaymentWindow;
  #waiting: PledgeMessage | undefined;
  #busy = false;

  constructor(window: PaymentWindow) {
    this.#window = window;
  }

  /** A pledge has come. @returns whether nobody is at the line: whoever brings it {@link take}s until there is none */
  bring(pledge: PledgeMessage): boolean {
    if (pledge.credits <= Math.max(this.#window.pledged, this.#waiting?.credits ?? 0)) return false;
    this.#waiting = pledge;
    return !this.#busy;
  }

  /** Takes out what waits; undefined when nothing does that is more than what is kept. */
  take(): PledgeMessage | undefined {
    const next = this.#waiting;
    this.#waiting = undefined;
    this.#busy = next !== undefined && next.credits > this.#window.pledged;
    return this.#busy ? next : undefined;
  }
}

function notPledged(owed: number): QuarryError {
  return new QuarryError({ code: 'NO_CREDIT', message: say('mesh.notPledged', { owed }), retryable: true });
}
