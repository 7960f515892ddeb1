import { EventQueue } from '../../base/event-queue.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { LongWork } from '../../models/library/long-work.ts';

/** Milliseconds between two reports. */
const REPORT_MS = 100;

export interface ByteProgress {
  done: number;
  total: number;
}

/** Long work as a stream that tells how far it is, and returns its result. Leaving the stream gives the work up. */
export async function* progressEvents<T>(
  work: (control: LongWork) => Promise<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ByteProgress, T, undefined> {
  const events = new EventQueue<ByteProgress>();
  const left = new AbortController();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (done: number, total: number) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    events.push({ done, total });
  };
  const result = work({ onProgress, signal: AbortSignal.any([left.signal, ...(signal ? [signal] : [])]) });
  const ended = result.finally(() => events.end()).catch(ignoring('thrown to whoever reads the events'));
  try {
    yield* events;
    return await result;
  } finally {
    left.abort();
    await ended;
  }
}
