import { useEffect, useRef, useState } from 'react';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { toQuarryError } from '../../api/errors.ts';

export interface ByteProgress {
  done: number;
  total: number;
}

interface WorkState<Result> {
  step: 'idle' | 'running' | 'ended';
  progress?: ByteProgress;
  /** What the work came to; absent for work that has no result. */
  result?: Result;
  error?: QuarryError;
}

export type ByteWork<Result> = WorkState<Result> & {
  /** Begins, and resolves with what the work came to; undefined when it failed, was given up, or has no result. */
  start(open: (signal: AbortSignal) => Promise<AsyncIterable<ByteProgress | Result>>): Promise<Result | undefined>;
  /** Gives the work up, or forgets what it came to. */
  reset(): void;
};

/** Long work of main over bytes, as a stream of progress and perhaps a result. Leaving the page gives it up. */
export function useByteWork<Result extends object = never>(): ByteWork<Result> {
  const [state, setState] = useState<WorkState<Result>>({ step: 'idle' });
  const leaving = useRef<AbortController>(undefined);
  const leave = () => leaving.current?.abort();
  useEffect(() => leave, []);

  const start: ByteWork<Result>['start'] = async (open) => {
    leave();
    const work = new AbortController();
    leaving.current = work;
    const { signal } = work;
    const show = (next: WorkState<Result>) => signal.aborted || setState(next);
    show({ step: 'running' });
    try {
      let result: Result | undefined;
      for await (const event of await open(signal)) {
        if (isProgress(event)) show({ step: 'running', progress: event });
        else result = event;
      }
      show({ step: 'ended', result });
      return signal.aborted ? undefined : result;
    } catch (error) {
      show({ step: 'idle', error: toQuarryError(error) });
      return undefined;
    }
  };
  const reset = () => {
    leave();
    setState({ step: 'idle' });
  };
  return { ...state, start, reset };
}

function isProgress(event: object): event is ByteProgress {
  return 'done' in event && 'total' in event;
}
