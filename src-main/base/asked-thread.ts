import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import { entryModule } from './installation.ts';

/** A thread has ended before it answered. Whatever it knew is gone; what asked may ask another. */
export class ThreadEnded extends Error {
  constructor(cause?: unknown) {
    super('A thread of this process has ended.', { cause });
  }
}

export interface AskedThreadOptions {
  /** The thread's module, from src-main without the extension: see `entryModule`. */
  entry: string;
  /** What it is started with. */
  data?: unknown;
  /** Of its heap; arrays of numbers do not count. */
  memoryMiB: number;
  /** Told once, when it has ended for whatever reason. */
  onEnd?: () => void;
}

interface Asked<Order> {
  number: number;
  order: Order;
}
interface Answered<Answer> {
  number: number;
  answer?: Answer;
  fault?: string;
}

/** One thread that carries out orders one after the other ({@link carryOutOrders}), for as long as it lives. It keeps the process alive while an answer is waited for. */
export class AskedThread<Order, Answer> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #onEnd: (() => void) | undefined;
  #lastNumber = 0;
  #ended: ThreadEnded | undefined;

  constructor({ entry, data, memoryMiB, onEnd }: AskedThreadOptions) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(entryModule(entry), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
    this.#worker.on('message', (answered: Answered<Answer>) => this.#take(answered));
    this.#worker.once('error', (error) => this.#end(error));
    this.#worker.once('exit', () => this.#end());
    this.#worker.unref();
  }

  /** @param given buffers that it takes over @throws ThreadEnded; an Error with what carrying it out failed of */
  ask(order: Order, given: TransferListItem[] = []): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    const waiting = Promise.withResolvers<Answer>();
    const asked: Asked<Order> = { number: ++this.#lastNumber, order };
    this.#waiting.set(asked.number, waiting);
    this.#worker.ref();
    this.#worker.postMessage(asked, given);
    return waiting.promise;
  }

  /** Ends it, whatever it is doing. Idempotent. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take({ number, answer, fault }: Answered<Answer>): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (fault === undefined) waiting?.resolve(answer as Answer);
    else waiting?.reject(new Error(fault));
  }

  #end(cause?: unknown): void {
    if (this.#ended) return;
    this.#ended = new ThreadEnded(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    this.#onEnd?.();
  }
}

/** In the thread: carries out what it is asked, in that order. @param carryOut what it throws is told to whoever asked */
export function carryOutOrders<Order, Answer>(carryOut: (order: Order) => Answer | Promise<Answer>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', ({ number, order }: Asked<Order>) => {
    last = last.then(async () => {
      const answered: Answered<Answer> = { number };
      try {
        answered.answer = await carryOut(order);
      } catch (error) {
        answered.fault = error instanceof Error ? error.message : String(error);
      }
      parentPort?.postMessage(answered);
    });
  });
}
