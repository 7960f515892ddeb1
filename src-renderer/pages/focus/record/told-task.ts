import { create } from 'zustand';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import { client } from '../../../api/client.ts';

/** Why the task of the last recording could not be told to the node; the form is gone by then. */
export const useToldTask = create<{ error: unknown }>(() => ({ error: undefined }));

/** Tells the node which task of a list a recording that has just begun is of. Never throws: the recording goes on. */
export async function tellTask(recording: string, { kind, id }: Pick<FocusTask, 'kind' | 'id'>): Promise<void> {
  useToldTask.setState({ error: undefined });
  if (kind === 'own' || id === null) return;
  try {
    await client.focus.setTask({ id: recording, task: { kind, id } });
  } catch (error) {
    useToldTask.setState({ error });
  }
}
