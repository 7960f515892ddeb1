import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ListedVersion } from '../../../../src-preload/contract/learning-versions.ts';
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
  /** Id of the one in use; null: the model as it is. */
  latest: string | null;
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
  const { data: adapters = [] } = useAnswer(api.learning.adapters.queryOptions());
  const found = useInfiniteQuery(
    api.learning.versions.infiniteOptions({
      input: (below: number | undefined) => ({ ...(adapter !== undefined && { adapter }), below }),
      initialPageParam: undefined,
      getNextPageParam: ({ versions, more }) => (more ? versions.at(-1)?.number : undefined),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.pages.some(isPreparing) ? LOOK_MS : false),
    }),
  );
  const name = found.data?.pages[0]?.name;
  return {
    name,
    data: found.data?.pages.flatMap(({ versions }) => versions),
    latest: adapters.find((one) => one.name === name)?.latest ?? null,
    error: found.error,
    pages: found,
  };
}

function isPreparing({ versions }: { versions: readonly ListedVersion[] }): boolean {
  return versions.some(({ shared }) => shared === 'preparing');
}
