import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { OptimiserDetails, OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import { api, client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { queryClient } from '../../../api/query-client.ts';

const TOGETHER = 50;
/** One may be begun, stopped or removed elsewhere, which is not told. */
const LOOK_AGAIN_MS = 5_000;

/** Which one somebody looks at; it outlives a change of tab. Undefined: the newest. */
export const useChosenRun = create<{ shown: string | undefined }>(() => ({ shown: undefined }));

/** Opens one. */
export function showRun(id: string): void {
  useChosenRun.setState({ shown: id });
  location.hash = '/competitions/optimiser';
}

/** All that there are, the newest first, a page at a time. */
export function useRuns() {
  const pages = useInfiniteQuery(
    api.optimiser.list.infiniteOptions({
      input: (before: number | undefined) => ({ limit: TOGETHER, ...(before !== undefined && { before }) }),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page.length === TOGETHER ? page.at(-1)?.createdAt : undefined),
      placeholderData: keepPreviousData,
      refetchInterval: LOOK_AGAIN_MS,
    }),
  );
  return { pages, all: pages.data?.pages.flat() };
}

/** After something was changed that the page shows. */
export function refreshRuns(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: api.optimiser.list.key() });
}

/** One with its attempts, as they come while it runs. */
export function useRun({ id, state }: Pick<OptimiserRun, 'id' | 'state'>) {
  const { value, error } = useLiveValue(
    (signal) => restingAtItsEnd(client.optimiser.watch({ id }, { signal }), signal),
    `${id} ${state === 'running'}`,
  );
  return { details: value?.id === id ? value : undefined, error };
}

/** What has ended changes no more: it is not asked for anew. */
async function restingAtItsEnd(
  opened: Promise<AsyncIterable<OptimiserDetails>>,
  signal: AbortSignal,
): Promise<AsyncIterable<OptimiserDetails>> {
  const events = await opened;
  return (async function* () {
    yield* events;
    void refreshRuns();
    await new Promise((left) => signal.addEventListener('abort', left, { once: true }));
  })();
}
