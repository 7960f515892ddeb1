import { useState } from 'react';
import type { ChainStateView } from '../../../src-preload/contract/chain.ts';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';

export interface Chain {
  /** Undefined before the first word of it. */
  state: ChainStateView | undefined;
  /** Unix milliseconds when it was last connected, as far as this page has seen. */
  seenAt: number | undefined;
  /** Main cannot say how it stands. */
  error: QuarryError | undefined;
  /** Asks for it anew, at once. */
  again: () => void;
}

/** How the connection to the chain stands, as long as the page is shown; whoever looks has it connected. */
export function useChain(): Chain {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<ChainStateView>();
  const [seenAt, setSeenAt] = useState<number>();
  const error = useLive(
    (signal) => client.chain.watch(undefined, { signal }),
    (now) => {
      setState(now);
      if (now.status === 'connected') setSeenAt(Date.now());
    },
    String(attempt),
  );
  return { state, seenAt, error, again: () => setAttempt(attempt + 1) };
}
