import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring } from '../../base/swallowed.ts';

/** How fast the demonstration goes. Times are milliseconds. */
export interface DemoPace {
  /** Between two ordinary questions. */
  questionMs: number;
  /** Ordinary questions between two scenes. */
  questions: number;
  /** How long the place of a worker that died stays empty. */
  emptyMs: number;
  /** Shortest time between two words about the queue. */
  queueMs: number;
  /** Share of its speed at which the built-in model works while many ask at once: it is so quick that nobody would have to wait. */
  rushSpeed: number;
}

/** For people who watch: a line every few seconds, and each scene about once in five minutes. */
export const DEMO_PACE: DemoPace = { questionMs: 4_000, questions: 9, emptyMs: 8_000, queueMs: 1_000, rushSpeed: 0.05 };

/** Waits, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(ignoring('whoever waits looks at the signal'));
}

/**
 * Looks until there is something.
 * @returns undefined when there was nothing within `ms`, or the signal aborted
 */
export async function lookFor<T>(
  look: () => T | undefined,
  { ms, everyMs = 50, signal }: { ms: number; everyMs?: number; signal: AbortSignal },
): Promise<T | undefined> {
  for (const end = Date.now() + ms; !signal.aborted; await pause(everyMs, signal)) {
    const found = look();
    if (found !== undefined || Date.now() >= end) return found;
  }
  return undefined;
}
