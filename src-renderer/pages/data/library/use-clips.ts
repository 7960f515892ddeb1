import { useDebouncedValue } from '@mantine/hooks';
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Clip, DataState } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { refreshClips } from '../use-data.ts';
import { filterOf, useLibraryView } from './library-view.ts';

const TOGETHER = 30;
/** Who still types is not asked about. */
const TYPING_MS = 350;

type Pages = InfiniteData<{ clips: Clip[]; next: string | null; total: number | null }>;

/** Clips as the library is looked at, page by page. */
export function useClips() {
  const view = useLibraryView();
  const [words] = useDebouncedValue(view.words.trim(), TYPING_MS);
  const filter = filterOf(view, words);
  return useInfiniteQuery(
    api.data.clips.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, cursor, rows: TOGETHER }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      queryKey: [...api.data.clips.key(), filter],
      placeholderData: keepPreviousData,
    }),
  );
}

/** A clip that has changed, in every list that has it; no list is asked for again. */
export function showClip(clip: Clip): void {
  const withIt = (clips: readonly Clip[]) =>
    clips.map((one) => (one.clip === clip.clip ? { ...clip, closeness: one.closeness } : one));
  queryClient.setQueriesData<Pages>(
    { queryKey: api.data.clips.key() },
    (pages) => pages && { ...pages, pages: pages.pages.map((page) => ({ ...page, clips: withIt(page.clips) })) },
  );
}

/** What is made, scored and removed elsewhere shows here, too; as much of the list as was shown before stays. @param version as {@link DataState} has it */
export function useFreshClips(version: number | undefined): void {
  useEffect(() => {
    if (version !== undefined) void refreshClips();
  }, [version]);
}
