import { useEffect, useRef, useState } from 'react';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

interface ByteProgress {
  done: number;
  total: number;
}

/** Takes a model file into the library, with progress; ends with the component, or when it is cancelled. */
export function useImport(onImported: (name: string) => void) {
  const [progress, setProgress] = useState<ByteProgress>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (path: string, signal: AbortSignal) => {
    for await (const event of await client.models.import({ path }, { signal })) {
      if ('total' in event) setProgress(event);
      else onImported(event.name);
    }
    await queryClient.invalidateQueries({ queryKey: api.models.key() });
  };
  const start = (path: string) => {
    const work = new AbortController();
    running.current = work;
    setError(undefined);
    setProgress({ done: 0, total: 0 });
    run(path, work.signal)
      .catch((cause: unknown) => !work.signal.aborted && setError(cause))
      .finally(() => setProgress(undefined));
  };
  return { start, cancel: () => running.current?.abort(), progress, error };
}
