import { setTimeout as pause } from 'node:timers/promises';
import { ignoring } from './swallowed.ts';

export interface BackOff {
  /** Milliseconds after the first failure. */
  firstMs: number;
  /** Milliseconds that no wait exceeds. Default: no limit. */
  longestMs?: number;
  /** How many times as long each further wait is. Default 2. */
  growth?: number;
}

/**
 * How long to wait after so many failures in a row, in milliseconds. Nothing is left to chance here: what must not come
 * back all at once adds that itself.
 *
 * @param failures 1 or more; with none there is nothing to wait for, and it is 0
 */
export function backOffMs(failures: number, { firstMs, longestMs = Number.POSITIVE_INFINITY, growth = 2 }: BackOff) {
  return failures < 1 ? 0 : Math.min(longestMs, firstMs * growth ** (failures - 1));
}

/** Waits so long, or until the signal ends that. */
export async function waitAfter(failures: number, backOff: BackOff, signal: AbortSignal): Promise<void> {
  const waited = pause(backOffMs(failures, backOff), undefined, { signal });
  await waited.catch(ignoring('whoever waits looks at the signal'));
}
