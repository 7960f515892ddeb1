import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type BackOff, backOffMs } from '../../../../base/back-off.ts';
import { Changes } from '../../../../base/changes.ts';

/** Between two tries where a market does not say when. */
export const BETWEEN_TRIES: BackOff = { firstMs: 2_000, longestMs: 5 * 60_000 };

export interface Patience {
  between?: BackOff;
  /** Milliseconds that no wait exceeds, whatever is asked for. Default: no limit */
  longestMs?: () => number;
  /** Told that nobody wants to wait any longer: it is tried at once. */
  sooner?: Changes;
  /** Told of each failure after which it is tried again, with the time of that, Unix milliseconds. */
  onWait?: (error: QuarryError, until: number) => void | Promise<void>;
}

/**
 * Tries something until it succeeds, as long as what it fails by may pass; waits as long as whoever refused it says.
 * @throws what cannot pass, and the signal's reason
 */
export async function patiently<T>(
  work: (failures: number) => Promise<T>,
  signal: AbortSignal,
  {
    between = BETWEEN_TRIES,
    longestMs = () => Number.POSITIVE_INFINITY,
    sooner = new Changes(),
    onWait,
  }: Patience = {},
): Promise<T> {
  for (let failures = 1; ; failures++) {
    const { count } = sooner;
    try {
      return await work(failures - 1);
    } catch (thrown) {
      signal.throwIfAborted();
      const error = QuarryError.from(thrown);
      if (!error.retryable) throw error;
      const wanted = Math.max(error.retryAfterMs ?? 0, backOffMs(failures, between));
      const wait = Math.max(0, Math.min(wanted, longestMs()));
      await onWait?.(error, Date.now() + wait);
      await sooner.after(count, signal, wait);
      signal.throwIfAborted();
    }
  }
}
