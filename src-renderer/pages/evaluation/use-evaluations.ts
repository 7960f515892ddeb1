import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { EvaluationDetails, EvaluationView } from '../../../src-preload/contract/evaluation.ts';
import { api, client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { queryClient } from '../../api/query-client.ts';

const TOGETHER = 50;
/** One may be begun, paused or removed elsewhere, which is not told. */
const LOOK_AGAIN_MS = 5_000;

/** Which ones somebody looks at; it outlives a change of tab. */
export const useChosen = create<{
  /** By its id; undefined: the newest. */
  shown: string | undefined;
  compared: string[];
}>(() => ({ shown: undefined, compared: [] }));

/** Opens the result of one. */
export function showEvaluation(id: string): void {
  useChosen.setState({ shown: id });
  location.hash = '/evaluation';
}

/** All that there are, the newest first, a page at a time. */
export function useEvaluations() {
  const pages = useInfiniteQuery(
    api.evaluation.list.infiniteOptions({
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
export function refreshEvaluations(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: api.evaluation.list.key() });
}

/** One with all its cells, as they come while it runs. */
export function useDetails({ id, state }: Pick<EvaluationView, 'id' | 'state'>) {
  const { value, error } = useLiveValue(
    (signal) => restingAtItsEnd(client.evaluation.watch({ id }, { signal }), signal),
    `${id} ${state === 'running'}`,
  );
  return { details: value?.id === id ? value : undefined, error };
}

/** What has ended changes no more: it is not asked for anew. */
async function restingAtItsEnd(
  opened: Promise<AsyncIterable<EvaluationDetails>>,
  signal: AbortSignal,
): Promise<AsyncIterable<EvaluationDetails>> {
  const events = await opened;
  return (async function* () {
    yield* events;
    void refreshEvaluations();
    await new Promise((left) => signal.addEventListener('abort', left, { once: true }));
  })();
}

/** One as it stands now. */
export async function detailsNow(id: string, signal: AbortSignal): Promise<EvaluationDetails> {
  for await (const details of await client.evaluation.watch({ id }, { signal })) return details;
  throw new Error('An evaluation tells nothing of itself.');
}
