import type { TaskKind } from '../../../../src-preload/contract/focus-task-kinds.ts';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';

/** What tells a task from the others. */
export const keyOfTask = ({ kind, id, title }: FocusTask): string => `${kind} ${id ?? title}`;

/** Those of a kind that have all the words, in whatever order. @param kind undefined for all */
export function tasksShown(tasks: readonly FocusTask[], kind: TaskKind | undefined, text: string): FocusTask[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tasks.filter((task) => {
    const all = `${task.title} ${task.description} ${task.reason}`.toLowerCase();
    return (!kind || task.kind === kind) && words.every((word) => all.includes(word));
  });
}

/** Kinds of which there is one at least, in the order in which they are offered: what is worth the most comes first. */
export function kindsIn(tasks: readonly FocusTask[]): TaskKind[] {
  const order: readonly TaskKind[] = ['boosted', 'platform', 'suggested', 'own'];
  return order.filter((kind) => tasks.some((task) => task.kind === kind));
}
