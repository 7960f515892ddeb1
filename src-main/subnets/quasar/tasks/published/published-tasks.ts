import { GOVREPORT_TASKS } from './govreport-tasks.ts';
import { HOTPOT_TASKS } from './hotpot-tasks.ts';
import { LONGBENCH_TASKS } from './longbench-tasks.ts';
import type { PublishedTasks } from './published-set.ts';

/** All published data sets that Quarry asks out of, by name. */
export const PUBLISHED_TASKS: ReadonlyMap<string, PublishedTasks> = new Map(
  [...LONGBENCH_TASKS, HOTPOT_TASKS, ...GOVREPORT_TASKS].map((one) => [one.name, one]),
);
