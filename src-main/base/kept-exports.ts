import { rm } from 'node:fs/promises';

/** So many wait at once: who has them made one after the other takes them meanwhile. */
export const MOST_EXPORTS = 4;

/** Files that were exported, and wait to be taken. When one more comes than may wait, the oldest goes. */
export class KeptExports {
  readonly #waiting = new Map<string, AbortController>();

  /** @returns what ends when the file is gone */
  async keep(path: string): Promise<AbortSignal> {
    const gone = new AbortController();
    this.#waiting.set(path, gone);
    for (const old of [...this.#waiting.keys()].slice(0, -MOST_EXPORTS)) await this.remove(old);
    return gone.signal;
  }

  /** Idempotent; also for one that was never kept. */
  async remove(path: string): Promise<void> {
    this.#waiting.get(path)?.abort();
    this.#waiting.delete(path);
    await rm(path, { force: true });
  }
}
