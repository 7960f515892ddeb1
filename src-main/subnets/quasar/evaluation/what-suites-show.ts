import type { BonusKind } from '../reward/composite.ts';
import { MADE_TASKS } from '../tasks/made/made-tasks.ts';
import { GOVREPORT_TASKS } from '../tasks/published/govreport-tasks.ts';
import { LONGBENCH_SETS } from '../tasks/published/longbench-sets.ts';

/** Suites whose texts hide values that are asked for. */
export const HIDDEN: ReadonlySet<string> = new Set(['needle', 'needles', 'two-hop', 'anchors', 'scaling']);

/** Suites that ask where something stands. */
export const PLACES: ReadonlySet<string> = new Set(['places']);

/**
 * Suites whose answers are whole texts, each compared with another text by ROUGE-L: these can be coherent or not, and a number cannot. Where only the first line of an
 * answer counts, what comes below it says nothing.
 */
export const SUMMARIES: ReadonlySet<string> = new Set([
  ...Object.entries(LONGBENCH_SETS).flatMap(([name, set]) =>
    set.metric === 'rouge-l' && !('firstLine' in set) ? [name] : [],
  ),
  ...GOVREPORT_TASKS.map(({ name }) => name),
]);

/** Suites whose texts are as long as was wanted: times at two lengths can be compared. */
export const MADE: ReadonlySet<string> = new Set(MADE_TASKS.map(({ name }) => name));

/** What a suite is to show, where QUASAR has a bonus for being very good at that. */
export function bonusKindOf(suite: string): BonusKind | undefined {
  if (suite === 'scaling') return 'scaling';
  if (suite === 'patterns') return 'pattern';
  return HIDDEN.has(suite) ? 'memory' : undefined;
}
