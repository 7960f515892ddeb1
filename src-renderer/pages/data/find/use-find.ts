import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { SearchHit, VideoRef } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { keyOf, useFindView } from './find-view.ts';

/** The source is somebody else's: an answer is good for a while. */
const FRESH_MS = 5 * 60_000;

type Pages = InfiniteData<{ found: SearchHit[]; next: string | null }>;

/** What was found for what was asked last. */
export function useFound() {
  const asked = useFindView(({ asked: last }) => last);
  return useInfiniteQuery(
    api.data.search.infiniteOptions({
      input: (cursor: string | undefined) => ({ source: 'commons' as const, topic: '', ...asked, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      queryKey: [...api.data.search.key(), asked?.source, asked?.topic],
      enabled: asked !== undefined,
      staleTime: FRESH_MS,
      retry: false,
    }),
  );
}

/** Puts videos into the queue; from then on they are known. */
export function useEnqueue() {
  return useMutation(api.data.enqueue.mutationOptions({ onSuccess: (_, { videos }) => setKnown(videos) }));
}

function setKnown(videos: readonly VideoRef[]): void {
  const keys = new Set(videos.map(keyOf));
  const known = (hit: SearchHit) => (keys.has(keyOf(hit)) && hit.unusable === null ? { ...hit, isKnown: true } : hit);
  queryClient.setQueriesData<Pages>(
    { queryKey: api.data.search.key() },
    (pages) => pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, found: page.found.map(known) })) },
  );
  const { chosen } = useFindView.getState();
  useFindView.setState({ chosen: Object.fromEntries(Object.entries(chosen).filter(([key]) => !keys.has(key))) });
}
