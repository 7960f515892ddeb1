import type { ModelFit } from '../../../src-preload/contract/models.ts';
import type { ModelRow } from './model-rows.ts';

/** How the list is divided, in this order. */
export const GROUPS = ['local', 'well', 'tight', 'large', 'unknown'] as const;
export type Group = (typeof GROUPS)[number];

/** From this share of the memory on, a game or a browser more makes it slow. */
const TIGHT = 0.9;
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

export function isTight({ room }: ModelFit): boolean {
  return neededOf(room) >= TIGHT * room.usable;
}

export function isSlow({ speed }: ModelFit): boolean {
  return SLOW.includes(speed.class);
}

/** Bytes that a model takes where memory is scarcest. */
export function neededOf({ weights, cache, overhead }: ModelFit['room']): number {
  return weights + cache + overhead;
}

/** The rows by their groups, each in its order; without the groups that have none. */
export function grouped(rows: readonly ModelRow[]): { group: Group; rows: ModelRow[] }[] {
  const all = GROUPS.map((group) => ({ group, rows: rows.filter((row) => groupOf(row) === group) }));
  return all.filter(({ rows: some }) => some.length > 0);
}
