import { EventQueue } from '../inference/event-queue.ts';
import type { LongWork } from '../models/long-work.ts';

/** Milliseconds between two reports. */
const REPORT_MS = 100;

export interface ByteProgress {
  done: number;
  total: number;
}

/** Long work as a stream: how far it is, then its result, if it has one. Leaving the stream gives the work up. */
export async function* progressEvents<T extends object | void>(
  work: (control: LongWork) => Promise<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ByteProgress | Exclude<T, void>, void, undefined> {
  const events = new EventQueue<ByteProgress | Exclude<T, void>>();
  const left = new AbortController();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (done: number, total: number) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    events.push({ done, total });
  };
  const ended = work({ onProgress, signal: AbortSignal.any([left.signal, ...(signal ? [signal] : [])]) }).then(
    (result) => {
      if (result) events.push(result as Exclude<T, void>);
      events.end();
    },
    (error: unknown) => events.fail(error),
  );
  try {
    yield* events;
  } finally {
    left.abort();
    await ended;
  }
}
