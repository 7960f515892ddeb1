import { isTight } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import type { ModelRow } from './model-rows.ts';

/** How the list is divided, in this order. */
export const GROUPS = ['local', 'well', 'tight', 'large', 'unknown'] as const;
export type Group = (typeof GROUPS)[number];

const SLOW: readonly ModelFit['speed']['class'][] = ['slow', 'painful'];

export function groupOf({ local, fit }: Pick<ModelRow, 'local' | 'fit'>): Group {
  return local ? 'local' : fitGroup(fit);
}

/** How a model would run here, wherever its file is. */
export function fitGroup(fit: ModelFit | null): Exclude<Group, 'local'> {
  if (!fit) return 'unknown';
  if (fit.runs === 'no') return 'large';
  return fit.runs === 'partly' || isTight(fit) || isSlow(fit) ? 'tight' : 'well';
}

export function isSlow({ speed }: ModelFit): boolean {
  return SLOW.includes(speed.class);
}

/** The rows by their groups, each in its order; without the groups that have none. */
export function grouped(rows: readonly ModelRow[]): { group: Group; rows: ModelRow[] }[] {
  const all = GROUPS.map((group) => ({ group, rows: rows.filter((row) => groupOf(row) === group) }));
  return all.filter(({ rows: some }) => some.length > 0);
}
