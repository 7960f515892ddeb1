import { useState } from 'react';
import type { ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

/** What stands in the password's field, and in that of the typed confirmation. */
export interface Confirmation {
  password: string | null;
  typed?: string | undefined;
}

export interface Sending {
  /** Once it is on its way. */
  call: SentCall | undefined;
  pending: boolean;
  error: unknown;
  send: (confirmation: Confirmation) => Promise<void>;
}

/** Signs and sends a draft, and follows the call to its end, whether or not anybody is still looking. */
export function useSending(draft: ChainDraft | undefined, onDone?: (call: SentCall) => void): Sending {
  const [call, setCall] = useState<SentCall>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async ({ password, typed }: Confirmation) => {
    if (!draft) return;
    setPending(true);
    setError(undefined);
    let last: SentCall | undefined;
    try {
      for await (const event of await client.chain.send({ id: draft.id, password, typed })) {
        last = event;
        setCall(event);
        void queryClient.invalidateQueries({ queryKey: api.chain.calls.key() });
      }
    } catch (cause) {
      setError(cause);
    }
    setPending(false);
    if (!last || last.state === 'waiting') return;
    void queryClient.invalidateQueries({ queryKey: api.chain.key() });
    onDone?.(last);
  };
  return { call, pending, error, send };
}
