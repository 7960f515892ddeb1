import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { type FollowedWork, followedWork } from '../followed-work.ts';

export type WorkKind = 'export' | 'upload';
/** Files are written, or uploaded. */
export type SetWork = FollowedWork<DataSetProgress>;

const works = { export: followedWork<DataSetProgress>(), upload: followedWork<DataSetProgress>() };

export const useSetWork = (kind: WorkKind): SetWork | undefined => works[kind].use(({ work }) => work);

/** Begins, and follows it to its end. */
export async function begin(
  kind: WorkKind,
  open: (signal: AbortSignal) => Promise<AsyncIterable<DataSetProgress>>,
): Promise<void> {
  await works[kind].begin(kind, open);
  await refreshDataSet();
}

/** Gives it up: what is whole by then stays. */
export function giveUp(kind: WorkKind): void {
  works[kind].giveUp();
  void refreshDataSet();
}

const refreshDataSet = () => queryClient.invalidateQueries({ queryKey: api.data.dataSet.key() });
