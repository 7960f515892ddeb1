import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';

type Begin = (feedback: readonly number[]) => Promise<RunRow | undefined>;

interface Wanted {
  feedback: readonly number[];
  begun: PromiseWithResolvers<RunRow | undefined>;
}

/** CLaaS, B3. */
const TURN_MS = 120_000;

/** Feedback that somebody wants learnt and waits for: who comes first has the first turn. */
export class WantedFeedback {
  readonly #turnMs: number;
  readonly #waiting: Wanted[] = [];

  /** @param turnMs milliseconds for which a turn is waited for. Default 120,000 */
  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Waits for its turn.
   * @returns the run that begins with it; undefined where nothing of it waits any more
   * @throws LEARNING_BUSY when its turn does not come in time; what it was refused with; the signal's reason
   */
  async turn(feedback: readonly number[], signal: AbortSignal): Promise<RunRow | undefined> {
    const wanted: Wanted = { feedback, begun: Promise.withResolvers() };
    this.#waiting.push(wanted);
    const leaving = AbortSignal.any([signal, AbortSignal.timeout(this.#turnMs)]);
    const leave = () => {
      const place = this.#waiting.indexOf(wanted);
      if (place >= 0) this.#waiting.splice(place, 1);
      wanted.begun.reject(signal.aborted ? signal.reason : this.#busy());
    };
    leaving.addEventListener('abort', leave, { once: true });
    if (leaving.aborted) leave();
    try {
      return await wanted.begun.promise;
    } finally {
      leaving.removeEventListener('abort', leave);
    }
  }

  /** Begins with the first of which something still waits. */
  async begin(begin: Begin): Promise<RunRow | undefined> {
    for (let wanted = this.#waiting.shift(); wanted; wanted = this.#waiting.shift()) {
      try {
        const run = await begin(wanted.feedback);
        wanted.begun.resolve(run);
        if (run) return run;
      } catch (error) {
        wanted.begun.reject(error);
      }
    }
    return undefined;
  }

  /** Nobody gets his turn now. */
  refuse(why: QuarryError): void {
    for (const { begun } of this.#waiting.splice(0)) begun.reject(why);
  }

  #busy(): QuarryError {
    const seconds = Math.round(this.#turnMs / 1_000);
    const [message, hint] = [say('learning.othersTurn', { seconds }), say('learning.othersTurn.hint')];
    return new QuarryError({ code: 'LEARNING_BUSY', message, hint });
  }
}
