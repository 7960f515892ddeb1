import { useState } from 'react';
import type { DataSource, DataState } from '../../../src-preload/contract/data.ts';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { api, client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** How finding goes, as it changes. */
export interface LiveData {
  /** Undefined before the first word of it. */
  state: DataState | undefined;
  error: QuarryError | undefined;
  again: () => void;
}

export function useData(): LiveData {
  const [tries, setTries] = useState(0);
  const { value, error } = useLiveValue((signal) => client.data.state(undefined, { signal }), String(tries));
  return { state: value, error, again: () => setTries((before) => before + 1) };
}

/** Where videos can come from, and what each lacks. */
export function useSources() {
  return useAnswer(api.data.sources.queryOptions());
}

/** Whether the settings let it be asked, and give it what it needs. */
export function canBeAsked({ isOn, lacks }: DataSource): boolean {
  return isOn && lacks === null;
}

/** The list and what is shown of one of them. */
export async function refreshClips(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: api.data.clips.key() });
}

export async function refreshJobs(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: api.data.jobs.key() });
}

/** What is taken down is in no list as it was. */
export async function refreshTakeDowns(): Promise<void> {
  await Promise.all([
    refreshClips(),
    queryClient.invalidateQueries({ queryKey: api.data.takeDowns.key() }),
    queryClient.invalidateQueries({ queryKey: api.data.dataSet.key() }),
  ]);
}
