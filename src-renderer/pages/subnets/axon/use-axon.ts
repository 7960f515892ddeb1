import { useState } from 'react';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';

interface LiveAxon {
  /** Undefined before the first word of it. */
  axon: AxonState | undefined;
  /** Main cannot say how it stands. */
  error: QuarryError | undefined;
  /** Asks anew, at once. */
  again: () => void;
}

/** How this computer's axon stands, as long as somebody looks. */
export function useAxon(): LiveAxon {
  const [attempt, setAttempt] = useState(0);
  const open = (signal: AbortSignal) => client.axon.watch(undefined, { signal });
  const { value: axon, error } = useLiveValue(open, String(attempt));
  return { axon, error, again: () => setAttempt(attempt + 1) };
}
