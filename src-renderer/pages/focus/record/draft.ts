import { create } from 'zustand';
import type { TaskChoice } from '../../../../src-preload/contract/focus-task-kinds.ts';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';

/** What was filled in for the next recording: it is there again where choosing what to record came to nothing, and after another page. */
export interface Draft {
  title: string;
  description: string;
  microphone: boolean;
  system: boolean;
  /** The task of a list that it is; undefined for one’s own. */
  task: FocusTask | undefined;
}

const EMPTY: Draft = { title: '', description: '', microphone: false, system: false, task: undefined };

export const useDraft = create<Draft>(() => EMPTY);

export const clearDraft = (): void => useDraft.setState(EMPTY);

export const changeDraft = (change: Partial<Draft>): void => useDraft.setState(change);

/** Takes a task over, with its words; one’s own is as if it had been typed again. */
export function chooseTask(task: FocusTask): void {
  const { title, description, kind } = task;
  changeDraft({ title, description, task: kind === 'own' ? undefined : task });
}

/** What the node is told of a task; undefined for one’s own, which is in no list. */
export function choiceOf(task: FocusTask | undefined): TaskChoice | undefined {
  if (!task || task.kind === 'own' || task.id === null) return undefined;
  return { kind: task.kind, id: task.id };
}

/** Lets the task of a list go; its words go with it where they are not to be changed. */
export function letGoOfTask({ task }: Pick<Draft, 'task'>): void {
  changeDraft({ task: undefined, ...(hasFixedWords(task) && { title: '', description: '' }) });
}

/** Its title and description are those of its list. */
export function hasFixedWords(task: Pick<FocusTask, 'kind'> | undefined): boolean {
  return task?.kind === 'boosted' || task?.kind === 'platform';
}
