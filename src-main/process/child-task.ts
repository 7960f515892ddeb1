import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Saying, Words } from '../../src-preload/contract/saying.ts';
import { CheckedChild, type CheckedChildOptions } from './checked-child.ts';
import { nodeSpawner, type ProcessSpawner } from './process-spawner.ts';

export interface ChildTask<Report, Result> extends Pick<CheckedChildOptions<Report>, 'launch' | 'messages'> {
  /** Default: a process of Node. */
  spawner?: ProcessSpawner | undefined;
  /** What it is to do. */
  task: object;
  /** Given each thing that it says; settles the task with the one that is its end. */
  onReport: (report: Report, end: Pick<PromiseWithResolvers<Result>, 'resolve' | 'reject'>) => void;
  /** What is said where it dies before that. */
  died: (reason: Words) => Saying;
  /** Ends it early. */
  signal?: AbortSignal | undefined;
}

/**
 * Has a process of its own do one task; it is gone when this returns.
 * @throws what the report rejects with; INTERNAL where it dies; the signal’s reason
 */
export async function childTask<Report, Result>({
  spawner = nodeSpawner,
  task,
  onReport,
  died,
  signal,
  ...options
}: ChildTask<Report, Result>): Promise<Result> {
  signal?.throwIfAborted();
  const { promise, ...end } = Promise.withResolvers<Result>();
  const child = new CheckedChild<Report>({
    ...options,
    spawner,
    onMessage: (report) => onReport(report, end),
    onDeath: (reason) => end.reject(new QuarryError({ code: 'INTERNAL', message: died(reason) })),
  });
  const abort = () => end.reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  child.send(task);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    await child.close();
  }
}
