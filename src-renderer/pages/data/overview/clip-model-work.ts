import type { ClipModelStep } from '../../../../src-preload/contract/data-models.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { followedWork } from '../followed-work.ts';

/** A model of clips that is being fetched, or could not be. */
const fetching = followedWork<ClipModelStep>();

export const useClipModelWork = fetching.use;

/** Fetches one, or goes on where that stopped. */
export async function fetchClipModel(name: string): Promise<void> {
  const isThere = await fetching.begin(name, (signal) => client.data.fetchModel({ name }, { signal }));
  if (isThere) stopFetching(); // the list shows it from now on
  await refreshClipModels();
}

/** Stops that: what is here stays. */
export const stopFetching = (): void => fetching.giveUp();

export async function refreshClipModels(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: api.data.models.key() });
}
