import { create } from 'zustand';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { api } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Files are written, or uploaded. */
export interface SetWork {
  isRunning: boolean;
  /** As far as it came; undefined before the first word of it. */
  progress: DataSetProgress | undefined;
  error: QuarryError | undefined;
}

export type WorkKind = 'export' | 'upload';
type OpenWork = (signal: AbortSignal) => Promise<AsyncIterable<DataSetProgress>>;

/** It goes on while other pages are open. */
export const useSetWork = create<Partial<Record<WorkKind, SetWork>>>(() => ({}));

const ways: Partial<Record<WorkKind, AbortController>> = {};

/** Begins, and follows it to its end. */
export async function begin(kind: WorkKind, open: OpenWork): Promise<void> {
  const work = new AbortController();
  ways[kind] = work;
  const show = (changes: Partial<SetWork>) => {
    const before = useSetWork.getState()[kind];
    const nothing = { isRunning: true, progress: undefined, error: undefined };
    if (ways[kind] === work) useSetWork.setState({ [kind]: { ...nothing, ...before, ...changes } });
  };
  show({ isRunning: true, progress: undefined, error: undefined });
  try {
    for await (const progress of await open(work.signal)) show({ progress });
    show({ isRunning: false });
  } catch (error) {
    show({ isRunning: false, error: toQuarryError(error) });
  }
  await queryClient.invalidateQueries({ queryKey: api.data.dataSet.key() });
}

/** Gives it up: what is whole by then stays. */
export function giveUp(kind: WorkKind): void {
  ways[kind]?.abort();
  delete ways[kind];
  useSetWork.setState({ [kind]: undefined });
  void queryClient.invalidateQueries({ queryKey: api.data.dataSet.key() });
}
