import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ignoring } from '../../base/swallowed.ts';

/** Milliseconds in which interrupted work may end by itself: tell the worker, give credits back. */
const GRACE_MS = 1_000;

/** Ctrl+C, or the system's wish that this process ends. */
interface Interruption extends Disposable {
  /** Aborted by the first. */
  readonly signal: AbortSignal;
}

/** Heeds what would end the process, until it is disposed of: the first aborts the signal, a second one ends the process at once. */
export function heedInterruptions(): Interruption {
  const interrupt = new AbortController();
  const heed = (name: NodeJS.Signals) =>
    interrupt.signal.aborted ? endBy(name) : interrupt.abort(new AskedToEnd(name));
  process.on('SIGINT', heed).on('SIGTERM', heed);
  return {
    signal: interrupt.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', heed).off('SIGTERM', heed),
  };
}

class AskedToEnd extends Error {
  override readonly name = 'AbortError';
  readonly by: NodeJS.Signals;

  constructor(by: NodeJS.Signals) {
    super('This process was asked to end.');
    this.by = by;
  }
}

/** Whether the signal was aborted by SIGTERM, which service managers send: they give time, where whoever presses Ctrl+C waits. */
export function hasTime({ reason }: AbortSignal): boolean {
  return reason instanceof AskedToEnd && reason.by === 'SIGTERM';
}

/** By the system: `process.exit` waits for what is under way on the disk, and a drive that is away never ends that. */
function endBy(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

/** What an interrupted command throws. */
export function interrupted(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: 'Interrupted.' });
}

/** What a command throws that was ended at a question, before it did anything. */
export function nothingDone(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: 'Nothing was done.' });
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
