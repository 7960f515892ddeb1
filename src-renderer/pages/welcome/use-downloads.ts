import { useEffect } from 'react';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api, client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { queryClient } from '../../api/query-client.ts';

/** All downloads, live; when one is complete, the lists of models are asked for anew. */
export function useDownloads(): Download[] {
  const { value = [] } = useLiveValue((signal) => client.models.watchDownloads(undefined, { signal }));
  const complete = value.filter(({ state }) => state === 'done').map(({ name }) => name);
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: api.models.key() });
  }, [complete.join('\n')]);
  return value;
}
