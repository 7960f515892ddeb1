import { Worker } from 'node:worker_threads';
import { entryModule } from '../../base/installation.ts';
import { ignoring } from '../../base/swallowed.ts';

/** What the thread is asked: to hash the file's first `goal` bytes, and to tell the hash if they are the last. */
export interface HashOrder {
  goal: number;
  last: boolean;
}

/** The thread is told of new bytes in such portions. */
const PORTION_BYTES = 4 << 20;

/**
 * SHA-256 of a file that is still being filled: it follows the bytes from the file's beginning to the first gap, so little is
 * left to do when the last gap closes. It works in a thread: a core hashes about 1 GB/s, which would be all that is left of
 * this thread at that speed.
 */
export class RunningHash {
  readonly #descriptor: number;
  #thread: { worker: Worker; sha256: Promise<string> } | undefined;
  #goal = 0;

  /** @param descriptor of the open file */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** The first `goal` bytes are there. A failure to read them is told by `digest`. */
  follow(goal: number): void {
    if (goal - this.#goal < PORTION_BYTES) return;
    this.#goal = goal;
    this.#order({ goal, last: false });
  }

  /**
   * Of the first `length` bytes, 64 hex; nothing more can be asked of it afterwards.
   * @throws what reading threw; an error when it was closed, or the signal ended it
   */
  async digest(length: number, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const close = () => void this.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      return await this.#order({ goal: length, last: true });
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  /** Ends the thread. Idempotent; the file may be closed afterwards. */
  async close(): Promise<void> {
    await this.#thread?.worker.terminate();
  }

  /** @returns the hash, once it was asked for */
  #order(order: HashOrder): Promise<string> {
    this.#thread ??= startThread(this.#descriptor);
    this.#thread.worker.postMessage(order);
    return this.#thread.sha256;
  }
}

function startThread(descriptor: number): { worker: Worker; sha256: Promise<string> } {
  const entry = entryModule('models/downloads/hash-thread');
  const worker = new Worker(entry, { workerData: descriptor });
  const { promise: sha256, resolve, reject } = Promise.withResolvers<string>();
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new Error('The thread that hashes has ended.')));
  sha256.catch(ignoring('told by whoever asks for the hash'));
  return { worker, sha256 };
}
