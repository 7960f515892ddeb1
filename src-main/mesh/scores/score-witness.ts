import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import { signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import { type Followed, type ScoreBoard, WITNESSES_KEPT } from './score-board.ts';
import type { ScoreVerify } from './score-messages.ts';

export interface ScoreWitnessOptions {
  identity: Identity;
  board: ScoreBoard;
  /** A claim is witnessed at a random moment within so many milliseconds, so that not everyone does it at once. */
  withinMs: number;
  now: () => number;
  /** 0 to below 1. */
  random: () => number;
  onStatement: (statement: ScoreVerify) => void;
  log: Logger;
}

/** Signs what this node has proven about others, unless enough have said so already. A resource. */
export class ScoreWitness {
  readonly #options: ScoreWitnessOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new TaskSet();
  #closed = false;

  constructor(options: ScoreWitnessOptions) {
    this.#options = options;
  }

  /** A log bore its worker's claim out. */
  proven(followed: Followed): void {
    const { identity, random, withinMs } = this.#options;
    const { worker } = followed;
    if (this.#closed || this.#timers.has(worker) || worker === identity.id) return;
    const timer = setTimeout(() => {
      this.#timers.delete(worker);
      void this.#running.add(this.#bearWitness(followed));
    }, random() * withinMs);
    this.#timers.set(worker, timer);
  }

  /** Says nothing more, and waits for what is being written. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await this.#running.ended();
  }

  async #bearWitness(followed: Followed): Promise<void> {
    const { identity, board, now, onStatement, log } = this.#options;
    const { claim, witnesses, worker } = followed;
    if (!claim || board.mark(worker)) return;
    const others = [...witnesses.values()].filter((other) => other.claim.seq >= claim.seq);
    if (others.length >= WITNESSES_KEPT) return;
    try {
      const statement = signEvidence<ScoreVerify>({ type: 'score-verify', claim }, identity, now());
      await board.witness(followed, statement);
      onStatement(statement);
    } catch (error) {
      log.error({ err: error, worker }, 'could not bear witness');
    }
  }
}
