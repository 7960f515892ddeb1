import { useEffect } from 'react';
import type { Download } from '../../src-preload/contract/models.ts';
import { client } from '../api/client.ts';
import { useLiveValue } from '../api/live.ts';
import { refreshModels } from './refresh-models.ts';

/** Every download as it goes. When one is done, or gone, the lists of models are asked for again. */
export function useDownloads() {
  const { value: downloads, error } = useLiveValue((signal) => client.models.watchDownloads(undefined, { signal }));
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
