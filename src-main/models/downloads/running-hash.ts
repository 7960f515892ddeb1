import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Bytes hashed in one turn of the event loop: about a millisecond. */
const STEP_BYTES = 1 << 20;

/**
 * SHA-256 of a file that is still being filled: it follows the bytes from the file's beginning to the first gap, so little is
 * left to do when the last gap closes.
 */
export class RunningHash {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafeSlow(STEP_BYTES);
  #hashed = 0;
  #goal = 0;
  #running: Promise<void> | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The first `goal` bytes are there. A failure to read them is told by `digest`. */
  follow(goal: number): void {
    this.#goal = Math.max(this.#goal, goal);
    this.#running ??= this.#catchUp()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Stops following. */
  async stop(): Promise<void> {
    this.#goal = 0;
    await this.#running;
  }

  /**
   * Of the first `length` bytes, 64 hex; nothing can be asked of it afterwards.
   * @throws what reading threw, or the signal's reason
   */
  async digest(length: number, signal: AbortSignal): Promise<string> {
    await this.#running;
    this.#goal = length;
    await this.#catchUp(signal);
    return this.#hash.digest('hex');
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    while (this.#hashed < this.#goal) {
      signal?.throwIfAborted();
      const most = Math.min(STEP_BYTES, this.#goal - this.#hashed);
      const { bytesRead } = await this.#file.read(this.#buffer, 0, most, this.#hashed);
      if (bytesRead === 0) throw new Error(`it ends after ${this.#hashed} bytes`);
      this.#hash.update(this.#buffer.subarray(0, bytesRead));
      this.#hashed += bytesRead;
    }
  }
}
