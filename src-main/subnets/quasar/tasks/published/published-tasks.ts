import { GOVREPORT_TASKS } from './govreport-tasks.ts';
import { HOTPOT_TASKS } from './hotpot-tasks.ts';
import { LONGBENCH_TASKS } from './longbench-tasks.ts';
import type { PublishedTasks } from './published-set.ts';

/** All published data sets that Quarry asks out of, by name. */
export const PUBLISHED_TASKS: ReadonlyMap<string, PublishedTasks> = new Map(
  [...LONGBENCH_TASKS, HOTPOT_TASKS, ...GOVREPORT_TASKS].map((one) => [one.name, one]),
);

/** The data sets that a name stands for: the one that is called so, else all of what is published under it; none where nobody knows it. */
export function publishedCalled(name: string): PublishedTasks[] {
  const one = PUBLISHED_TASKS.get(name);
  return one ? [one] : [...PUBLISHED_TASKS.values()].filter(({ group }) => group === name);
}

/** What a data set is published with: `longbench`; what is for all of that is for itself. */
export const publishedWith = (name: string): string => PUBLISHED_TASKS.get(name)?.group ?? name;
