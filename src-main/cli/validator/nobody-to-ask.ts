import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { RunStateView } from '../../../src-preload/contract/validator-run.ts';

const NOBODY = 'There is nobody to ask.';
const HOW_TO_NAME_ONE =
  'Add a miner at its address («quarry validator miner add --help»). Workers of the mesh are asked with the setting validator.mesh, once one is in reach («quarry peers»); axons of a subnet with validator.netuid.';

/** For a person who looks on. */
export const NOBODY_TEXT = `${NOBODY} ${HOW_TO_NAME_ONE}`;

/** Why a command does not wait any longer. */
const nobodyToAsk = () =>
  new QuarryError({ code: 'NO_WORKER', message: NOBODY, hint: HOW_TO_NAME_ONE, retryable: true });

export interface Patience {
  /** Milliseconds without anybody to ask until that is said. Default 5,000 */
  sayAfterMs?: number;
  /** Milliseconds without anybody to ask until it is given up. Default: never */
  endAfterMs?: number | undefined;
}

const SAY_AFTER_MS = 5_000;

/** Says that nobody is there to ask, and gives it up; what keeps a run from finding miners is told otherwise, and passes by itself. */
export class NobodyToAsk implements Disposable {
  readonly #patience: Patience;
  readonly #say: () => void;
  readonly #givingUp = new AbortController();
  #timers: NodeJS.Timeout[] = [];

  /** @param say where nobody has been there for a while, once until somebody is */
  constructor(say: () => void, patience: Patience = {}) {
    this.#say = say;
    this.#patience = patience;
  }

  /** Aborted when it is given up, with why. */
  get signal(): AbortSignal {
    return this.#givingUp.signal;
  }

  look({ status, minerCount, fault }: Pick<RunStateView, 'status' | 'minerCount' | 'fault'>): void {
    const isNobody = status === 'running' && minerCount === 0 && fault === null;
    if (!isNobody) this[Symbol.dispose]();
    else if (this.#timers.length === 0) this.#wait();
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #wait(): void {
    const { sayAfterMs = SAY_AFTER_MS, endAfterMs } = this.#patience;
    this.#timers.push(setTimeout(this.#say, sayAfterMs));
    if (endAfterMs !== undefined) {
      this.#timers.push(setTimeout(() => this.#givingUp.abort(nobodyToAsk()), endAfterMs));
    }
  }
}
