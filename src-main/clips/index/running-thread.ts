import { Worker } from 'node:worker_threads';
import { entryModule } from '../../base/installation.ts';
import type { IndexAnswer, IndexOrder, IndexThreadData } from './index-orders.ts';

/** The thread has ended before it answered. Whatever it knew is gone; what asked may ask another. */
export class ThreadEnded extends Error {
  constructor(cause?: unknown) {
    super('The thread that looks through clips has ended.', { cause });
  }
}

/** Beside vectors and ids, which do not count here. */
const MEMORY_MIB = 256;

/** One thread that looks through vectors, for as long as it lives. */
export class RunningThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<IndexAnswer>>();
  #lastNumber = 0;
  #ended: Error | undefined;

  /** @param onEnd told once, when it has ended for whatever reason */
  constructor(data: IndexThreadData, onEnd: () => void) {
    this.#worker = new Worker(entryModule('clips/index/index-thread'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    this.#worker.on('message', (answer: IndexAnswer) => this.#take(answer));
    this.#worker.once('error', (error) => this.#end(error, onEnd));
    this.#worker.once('exit', () => this.#end(undefined, onEnd));
    this.#worker.unref();
  }

  /** @param order its vectors are given away @throws ThreadEnded; an Error with what the thread failed of */
  async ask(order: IndexOrder): Promise<IndexAnswer> {
    if (this.#ended) throw this.#ended;
    const waiting = Promise.withResolvers<IndexAnswer>();
    const number = ++this.#lastNumber;
    this.#waiting.set(number, waiting);
    this.#worker.ref(); // whoever waits for an answer gets it
    this.#worker.postMessage({ number, order }, 'vectors' in order ? [order.vectors.buffer as ArrayBuffer] : []);
    const answer = await waiting.promise;
    if (answer.fault !== null) throw new Error(`The index of clips has failed: ${answer.fault}`);
    return answer;
  }

  /** Ends it, whatever it is doing. Idempotent. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(answer: IndexAnswer): void {
    this.#waiting.get(answer.number)?.resolve(answer);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #end(cause: unknown, onEnd: () => void): void {
    if (this.#ended) return;
    this.#ended = new ThreadEnded(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    onEnd();
  }
}
