import type { Ask } from './ask.ts';
import type { KnownWorker } from './known-worker.ts';
import { isEligible } from './selection.ts';

interface Waiting {
  ask: Ask;
  wake: (worker?: KnownWorker) => void;
}

/** Questions that one status may wake, whatever room it claims: its next one may wake others. */
const MOST_WOKEN = 16;

/**
 * Questions that wait for a worker with room, first come, first served. A worker that gets room wakes as many as it has
 * room for, and each is told whom to ask: nobody looks through all workers again.
 */
export class WaitingAsks {
  readonly #waiting = new Set<Waiting>();

  /** Resolves with a worker that has room for it; with nothing when the time is over, or the answer no longer wanted. */
  async worker(ask: Ask, mostMs: number): Promise<KnownWorker | undefined> {
    if (ask.signal.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<KnownWorker | undefined>();
    const waiting: Waiting = { ask, wake: resolve };
    const end = () => resolve(undefined);
    const timer = setTimeout(end, mostMs);
    ask.signal.addEventListener('abort', end, { once: true });
    this.#waiting.add(waiting);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(waiting);
      ask.signal.removeEventListener('abort', end);
      clearTimeout(timer);
    }
  }

  /** A worker said how it is now: those for whom it has room need wait no longer. */
  wakeFor(worker: KnownWorker): void {
    const { queue } = worker.selfReport;
    const room = Math.max(0, queue.parallel - queue.running) + Math.max(0, queue.capacity - queue.waiting);
    let left = Math.min(room, MOST_WOKEN);
    for (const waiting of this.#waiting) {
      if (left <= 0) return;
      if (!waiting.ask.mayAsk(worker) || !isEligible(worker.selfReport, waiting.ask.model)) continue;
      this.#waiting.delete(waiting);
      waiting.wake(worker);
      left--;
    }
  }

  /** Nobody waits any longer. */
  end(): void {
    for (const { wake } of this.#waiting) wake();
  }
}
