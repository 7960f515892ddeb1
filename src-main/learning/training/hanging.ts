import { say } from '../../../src-preload/contract/saying.ts';
import type { CheckedChild } from '../../process/checked-child.ts';

/**
 * What takes so many times what is foreseen for it, and so long in any case, hangs, as a GPU's driver may: an old processor is three times slower than foreseen, and a
 * process that comes after what people wait for gets a tenth of it.
 */
const TIMES_FORESEEN = 30;
const LEAST_MS = 10 * 60_000;
/** Longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long a trainer is waited for. */
export interface Patience {
  signal?: AbortSignal | undefined;
  /** Seconds that are foreseen for what it was asked. Default 0. */
  foreseen?: number | undefined;
}

/** Ends a child that hangs, unless the timer is cleared before. */
export function endIfHanging(child: Pick<CheckedChild<unknown>, 'end'>, { foreseen = 0 }: Patience): NodeJS.Timeout {
  const ms = Math.min(Math.max(LEAST_MS, TIMES_FORESEEN * foreseen * 1_000), LONGEST_TIMER_MS);
  return setTimeout(() => child.end(say('training.hangs', { minutes: Math.round(ms / 60_000) })), ms);
}
