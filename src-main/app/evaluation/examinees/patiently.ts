import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { backOffMs } from '../../../base/back-off.ts';

/** Of one question, where whoever is asked is busy or away for a moment. */
const TRIES = 5;
const LONGEST_WAIT_MS = 60_000;

/** Asks again where that may help. @param firstMs after a first failure; doubles with each further one @throws what the last failure was; the signal's reason */
export async function patiently<T>(ask: () => Promise<T>, firstMs: number, signal: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const { retryable, retryAfterMs = 0 } = QuarryError.from(error);
      if (!retryable || failures === TRIES) throw error;
      const waitMs = Math.max(backOffMs(failures, { firstMs }), retryAfterMs);
      await sleep(Math.min(waitMs, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}
