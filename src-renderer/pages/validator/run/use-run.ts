import { useState } from 'react';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { RunStateView } from '../../../../src-preload/contract/validator-run.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';

/** Whether miners are asked, and how that goes. */
export interface LiveRun {
  /** Undefined before the first word of it. */
  state: RunStateView | undefined;
  isRunning: boolean;
  /** Main cannot say how it stands. */
  error: QuarryError | undefined;
  /** Asks anew, at once. */
  again: () => void;
}

/** How the run stands, as long as somebody looks. */
export function useRun(): LiveRun {
  const [attempt, setAttempt] = useState(0);
  const { value: state, error } = useLiveValue(
    (signal) => client.validator.run(undefined, { signal }),
    String(attempt),
  );
  return { state, isRunning: state?.status === 'running', error, again: () => setAttempt(attempt + 1) };
}
