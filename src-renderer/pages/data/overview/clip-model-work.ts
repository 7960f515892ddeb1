import { create } from 'zustand';
import type { ClipModelStep } from '../../../../src-preload/contract/data-models.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { api, client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';

/** A model of clips that is being fetched, or could not be. */
export interface ClipModelWork {
  name: string;
  isRunning: boolean;
  /** As far as it came; undefined before the first word of it. */
  step: ClipModelStep | undefined;
  error: QuarryError | undefined;
}

/** One at a time; it goes on while other pages are open. */
export const useClipModelWork = create<{ work: ClipModelWork | undefined }>(() => ({ work: undefined }));

let way: AbortController | undefined;

/** Fetches one, or goes on where that stopped. */
export async function fetchClipModel(name: string): Promise<void> {
  const mine = new AbortController();
  way = mine;
  const show = (changes: Partial<ClipModelWork>) => {
    const before = useClipModelWork.getState().work;
    const nothing = { isRunning: true, step: undefined, error: undefined };
    if (way === mine) useClipModelWork.setState({ work: { ...nothing, ...before, ...changes, name } });
  };
  show({ isRunning: true, step: undefined, error: undefined });
  try {
    for await (const step of await client.data.fetchModel({ name }, { signal: mine.signal })) show({ step });
    if (way === mine) useClipModelWork.setState({ work: undefined });
  } catch (error) {
    show({ isRunning: false, error: toQuarryError(error) });
  }
  await refreshClipModels();
}

/** Stops that: what is here stays. */
export function stopFetching(): void {
  way?.abort();
  way = undefined;
  useClipModelWork.setState({ work: undefined });
}

export async function refreshClipModels(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: api.data.models.key() });
}
