import type { EnvironmentView } from '../../../src-preload/contract/validator.ts';

/** What the settings have a validator ask; undefined: the usual ones, at the usual level of each. */
export interface Asked {
  environments: readonly string[] | undefined;
  level: string | undefined;
}

/** Names of the tasks that are asked, as these are written; the usual ones where none is named, or none of those is there. */
export function askedTasks(
  tasks: readonly Pick<EnvironmentView, 'name' | 'isUsual'>[],
  named: readonly string[] | undefined,
): string[] {
  const wanted = new Set(named?.map((name) => name.toLowerCase()));
  const asked = tasks.filter(({ name }) => wanted.has(name.toLowerCase()));
  return (asked.length > 0 ? asked : tasks.filter(({ isUsual }) => isUsual)).map(({ name }) => name);
}
