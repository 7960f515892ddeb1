import { say } from '../../../src-preload/contract/saying.ts';
import type { CheckedChild } from '../../process/checked-child.ts';

/**
 * What takes so many times what is foreseen for it hangs, as a GPU's driver may: an old processor is three times slower than foreseen, and a process that comes after what
 * people wait for gets a tenth of it.
 */
const TIMES_FORESEEN = 30;
/** So long is waited for a process in any case. */
const LEAST_MS = 10 * 60_000;
/** Longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a trainer is waited for. */
export interface Patience {
  signal?: AbortSignal | undefined;
  /** Seconds that are foreseen for what it was asked. Default 0. */
  foreseen?: number | undefined;
}

/** Milliseconds after which what was asked of a trainer hangs. @param foreseen seconds, for what was asked */
export function hangsAfterMs(foreseen: number, { leastMs, mostMs }: { leastMs: number; mostMs: number }): number {
  return Math.min(Math.max(leastMs, TIMES_FORESEEN * foreseen * 1_000), mostMs);
}

/** Ends a child that hangs, unless the timer is cleared before. */
export function endIfHanging(child: Pick<CheckedChild<unknown>, 'end'>, { foreseen = 0 }: Patience): NodeJS.Timeout {
  const ms = hangsAfterMs(foreseen, { leastMs: LEAST_MS, mostMs: LONGEST_TIMER_MS });
  return setTimeout(() => child.end(say('training.hangs', { minutes: Math.round(ms / 60_000) })), ms);
}
