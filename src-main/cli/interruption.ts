import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ignoring } from '../base/swallowed.ts';

/** Milliseconds in which interrupted work may end by itself: tell the worker, give credits back. */
const GRACE_MS = 1_000;

/** What an interrupted command throws. */
export function interrupted(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: 'Interrupted.' });
}

/** Whether an error only says that somebody aborted something. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof QuarryError) return error.code === 'CANCELLED' || isCancellation(error.cause);
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Waits for work that may not heed the signal. Once it aborts, the work has a second to end; then it is left to itself.
 * @throws CANCELLED when the signal aborts before the work is done
 */
export async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const onAbort = Promise.withResolvers<never>();
  const listener = () => {
    const graceOver = sleep(GRACE_MS, undefined, { signal: done.signal }).catch(ignoring('done in time'));
    graceOver.then(() => onAbort.reject(interrupted()));
  };
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  try {
    return await Promise.race([work, onAbort.promise]);
  } finally {
    signal.removeEventListener('abort', listener);
    done.abort();
    onAbort.promise.catch(ignoring('nobody waits for it any more'));
  }
}
