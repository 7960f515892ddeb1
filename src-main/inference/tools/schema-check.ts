import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { entryModule } from '../../base/installation.ts';
import { ignoring } from '../../base/swallowed.ts';

/** The arguments of a call, as JSON, and the schema that they are held to. */
export interface SchemaOrder {
  schema: object;
  args: string;
}

/** What all checks of one answer may take together, in milliseconds. Those of an honest one take less than one. */
const BUDGET_MS = 1_500;

/**
 * Holds arguments to schemas, for one answer. A worker chooses the arguments, and a schema may make of them any amount of work (`uniqueItems`, a
 * pattern): so it is done in a thread, which is ended when the time is over. The thread starts with the first check.
 */
export class SchemaCheck {
  #thread: Worker | undefined;
  #leftMs = BUDGET_MS;

  /** Which of them are as they should be: none, when they take too long or the checks before them have taken all the time. */
  async fit(orders: readonly SchemaOrder[]): Promise<boolean[]> {
    const fits = this.#leftMs > 0 && orders.length > 0 ? await this.#ask(orders) : undefined;
    return fits ?? orders.map(() => false);
  }

  /** Ends the thread. Idempotent. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  /** @returns undefined when there was not the time for it */
  async #ask(orders: readonly SchemaOrder[]): Promise<boolean[] | undefined> {
    try {
      const thread = await this.#started();
      const began = performance.now();
      const answer = once(thread, 'message', { signal: AbortSignal.timeout(this.#leftMs) });
      thread.postMessage(orders);
      const [fits] = await answer;
      this.#leftMs = Math.floor(this.#leftMs - (performance.now() - began));
      return fits;
    } catch {
      this.#leftMs = 0; // no time is left, or the thread had not enough memory
      await this.close();
      return undefined;
    }
  }

  /** The thread, whose start does not count: on a busy computer it may take as long as the checks may. */
  async #started(): Promise<Worker> {
    if (this.#thread) return this.#thread;
    const thread = new Worker(entryModule('inference/tools/schema-thread'), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    this.#thread = thread.on('error', ignoring('told to whoever waits for its answer'));
    await once(thread, 'message');
    return thread;
  }
}
