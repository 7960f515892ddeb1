import { create } from 'zustand';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationFetchEvent } from '../../../../src-preload/contract/evaluation.ts';
import { api, client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { FetchWish } from './packs.ts';

interface Fetching {
  /** Undefined while nothing is fetched. */
  stop: AbortController | undefined;
  progress: Extract<EvaluationFetchEvent, { type: 'progress' }> | undefined;
  /** What came of the last time; undefined before the first, and once somebody has seen it. */
  outcome: { fetched: number; failed: { file: string; error: QuarryError }[]; isStopped: boolean } | undefined;
  /** Why the last time ended before its end. */
  error: QuarryError | undefined;
}

/** It outlives a change of tab: fetching ends with the call, and so with the window. */
export const useFetching = create<Fetching>(() => ({
  ...{ stop: undefined, progress: undefined, outcome: undefined, error: undefined },
}));

/** Fetches what is missing of that; what comes of it is in {@link useFetching}. Nothing while something is fetched. */
export async function fetchFiles(wish: FetchWish): Promise<void> {
  if (useFetching.getState().stop) return;
  const stop = new AbortController();
  const outcome: NonNullable<Fetching['outcome']> = { fetched: 0, failed: [], isStopped: false };
  useFetching.setState({ stop, progress: undefined, outcome: undefined, error: undefined });
  try {
    for await (const event of await client.evaluation.fetch(wish, { signal: stop.signal })) {
      if (event.type === 'progress') useFetching.setState({ progress: event });
      if (event.type === 'fetched') outcome.fetched++;
      if (event.type === 'failed') outcome.failed.push({ file: event.file, error: new QuarryError(event.error) });
      if (event.type !== 'progress') void refreshFiles();
    }
    useFetching.setState({ outcome });
  } catch (error) {
    if (stop.signal.aborted) useFetching.setState({ outcome: { ...outcome, isStopped: true } });
    else useFetching.setState({ outcome, error: toQuarryError(error) });
  } finally {
    useFetching.setState({ stop: undefined, progress: undefined });
    void refreshFiles();
  }
}

/** What is here is kept. */
export function stopFetching(): void {
  useFetching.getState().stop?.abort();
}

export function forgetOutcome(): void {
  useFetching.setState({ outcome: undefined, error: undefined });
}

const refreshFiles = () => queryClient.invalidateQueries({ queryKey: api.evaluation.files.key() });
