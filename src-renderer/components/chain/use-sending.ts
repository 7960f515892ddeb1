import { useState } from 'react';
import type { ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

/** What stands in the password's field, and in that of the typed confirmation. */
export interface Confirmation {
  password: string | null;
  typed?: string | undefined;
}

/** Who signs and sends a draft. */
export type Send = (input: { id: string } & Confirmation) => Promise<AsyncIterable<SentCall>>;

export interface Sending {
  /** Once it is on its way. */
  call: SentCall | undefined;
  pending: boolean;
  error: unknown;
  send: (confirmation: Confirmation) => Promise<void>;
}

/** Signs and sends a draft, and follows the call to its end, whether or not anybody is still looking. */
export function useSending(
  draft: ChainDraft | undefined,
  onDone?: (call: SentCall) => void,
  by: Send = (input) => client.chain.send(input),
): Sending {
  const [call, setCall] = useState<SentCall>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async ({ password, typed }: Confirmation) => {
    if (!draft) return;
    setPending(true);
    setError(undefined);
    let last: SentCall | undefined;
    try {
      for await (const event of await by({ id: draft.id, password, typed })) {
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
