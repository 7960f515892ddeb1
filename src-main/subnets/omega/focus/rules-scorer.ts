import { setImmediate as breath } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { entryModule } from '../../../base/installation.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { Turns } from '../../../base/turns.ts';
import type { ByRules } from './by-rules.ts';
import type { FocusFacts, Known } from './rules/facts.ts';

/** What the thread is told: one recording more that is known, or at last which one to score. */
export type RulesOrder = { known: Known } | { facts: Omit<FocusFacts, 'known'> };

/** Facts whose known recordings are read one at a time: fifty of them are hundreds of thousands of seconds. */
export interface FactsToScore extends Omit<FocusFacts, 'known'> {
  known: AsyncIterable<Known>;
}

/** Beside fifty recordings of 90 minutes the worst that was tried takes 3 s on two shared cores. */
const LONGEST_MS = 60_000;
/** Fifty recordings of 90 minutes were tried, and fit in. */
const MEMORY_MIB = 512;

/**
 * Has recordings scored by the rules, one after the other, each in a thread that ends with it: whoever made the recording chooses how much work that is.
 * A resource.
 */
export class RulesScorer {
  readonly #longestMs: number;
  readonly #turns = new Turns();

  /** @param longestMs milliseconds that one may take, once all is read. Default: a minute */
  constructor({ longestMs = LONGEST_MS }: { longestMs?: number } = {}) {
    this.#longestMs = longestMs;
  }

  /** @throws INTERNAL where it takes too long; what reading throws; the signal’s reason */
  score(facts: FactsToScore, signal: AbortSignal): Promise<ByRules> {
    return this.#turns.take(() => this.#score(facts, signal));
  }

  /** Resolves when no thread is left; those who asked end theirs by their signals. */
  async close(): Promise<void> {
    await this.#turns.ended();
  }

  async #score({ known, ...facts }: FactsToScore, signal: AbortSignal): Promise<ByRules> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ByRules>();
    promise.catch(ignoring('told to whoever waits for it, or reading has failed before'));
    const off = () => reject(signal.reason);
    signal.addEventListener('abort', off);
    const thread = startThread(resolve, reject);
    let timer: NodeJS.Timeout | undefined;
    try {
      for await (const one of known) {
        signal.throwIfAborted();
        tell(thread, { known: one });
        await breath();
      }
      timer = setTimeout(() => reject(tooLong()), this.#longestMs);
      tell(thread, { facts });
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', off);
      await thread.terminate();
    }
  }
}

function startThread(resolve: (found: ByRules) => void, reject: (error: unknown) => void): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MIB };
  const thread = new Worker(entryModule('subnets/omega/focus/rules-thread'), { resourceLimits });
  return thread
    .once('message', resolve)
    .once('error', reject)
    .once('exit', () => reject(new Error('The thread that scores by the rules has ended.')));
}

const tell = (thread: Worker, order: RulesOrder) => thread.postMessage(order);

const tooLong = () => new QuarryError({ code: 'INTERNAL', message: say('focusScore.tooLong') });
