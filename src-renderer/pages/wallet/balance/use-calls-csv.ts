import { useState } from 'react';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { client } from '../../../api/client.ts';
import { saveFile } from '../../../components/saving/save-file.ts';
import { callsCsv } from './calls-csv.ts';

const PAGE = 200;

/** Saves all that was sent from here as a table. */
export function useCallsCsv() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setPending(true);
    setError(undefined);
    try {
      const content = new Blob([callsCsv(await allCalls())], { type: 'text/csv;charset=utf-8' });
      saveFile(content, `quarry-wallet-${new Date().toISOString().slice(0, 10)}.csv`);
    } catch (cause) {
      setError(cause);
    }
    setPending(false);
  };
  return { pending, error, save };
}

async function allCalls(): Promise<SentCall[]> {
  const all: SentCall[] = [];
  for (;;) {
    const { calls, more } = await client.chain.calls({ before: all.at(-1)?.id, limit: PAGE });
    all.push(...calls);
    if (!more || calls.length === 0) return all;
  }
}
