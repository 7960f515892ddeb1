import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ListedVersion, VersionSteps } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import type { ShownSoFar } from '../../../components/ShownSoFar.tsx';

/** While one is prepared to be shared, which is not told. */
const LOOK_MS = 2_000;

/** The versions of an adapter, as far as they are shown. */
export interface ShownVersions {
  /** Of the adapter. */
  name: string | undefined;
  /** Newest first; undefined while they are on their way. */
  data: ListedVersion[] | undefined;
  /** Which is in use, and where undo and redo lead; undefined as long as {@link data} is. */
  steps: VersionSteps | undefined;
  error: unknown;
  pages: Parameters<typeof ShownSoFar>[0]['pages'];
}

/** Name of the model that the adapter which is set belongs to, where another one answers; undefined where it is the same. @param adapter undefined: none */
export function useOtherBase(adapter: string | undefined): string | undefined {
  const { data: status } = useAnswer(api.learning.status.queryOptions());
  return status?.adapter === adapter ? (status?.inUse.belongsTo ?? undefined) : undefined;
}

/** @param adapter undefined: the one that is set */
export function useVersions(adapter: string | undefined): ShownVersions {
  const found = useInfiniteQuery(
    api.learning.versions.infiniteOptions({
      input: (below: number | undefined) => ({ ...(adapter !== undefined && { adapter }), below }),
      initialPageParam: undefined,
      getNextPageParam: ({ versions, more }) => (more ? versions.at(-1)?.number : undefined),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.pages.some(isPreparing) ? LOOK_MS : false),
    }),
  );
  return {
    name: found.data?.pages[0]?.name,
    data: found.data?.pages.flatMap(({ versions }) => versions),
    steps: found.data?.pages[0]?.steps,
    error: found.error,
    pages: found,
  };
}

function isPreparing({ versions }: { versions: readonly ListedVersion[] }): boolean {
  return versions.some(({ shared }) => shared === 'preparing');
}
