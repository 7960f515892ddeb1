import { useEffect } from 'react';
import { create } from 'zustand';
import type { Download } from '../../src-preload/contract/models.ts';
import { client } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { refreshModels } from './refresh-models.ts';

/** Every download as it was last told; undefined before the first. The page that shows them keeps it fresh. */
export const useDownloads = create<{ downloads: Download[] | undefined }>(() => ({ downloads: undefined }));

/** Follows the downloads as they go, for {@link useDownloads}. When one is done, or gone, the lists of models are asked for again. */
export function useFreshDownloads() {
  const { downloads } = useDownloads();
  const error = useLive(
    (signal) => client.models.watchDownloads(undefined, { signal }),
    (told) => useDownloads.setState({ downloads: told }),
  );
  const standing = downloads?.map(({ name, state }) => `${name} ${state === 'done'}`).join();
  useEffect(() => {
    if (standing !== undefined) void refreshModels();
  }, [standing]);
  return { downloads, error };
}

/** Whether there is something left to do for a download. */
export function underWay({ state }: Download): boolean {
  return state !== 'done';
}
