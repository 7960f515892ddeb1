import type { Db } from '../database.ts';

/** States in which feedback counts towards what may be kept. */
export const UNLEARNT = ['waiting', 'aside', 'noted'] as const;
/** … and in which it was tried in vain. */
export const TRIED = ['rejected', 'aside'] as const;

/** Takes feedback back from which nothing was learnt, and that no run learns from now; to be narrowed down to what is meant. */
export function withdrawFeedback(db: Db) {
  const states = [...UNLEARNT, ...TRIED];
  return db.updateTable('learning_feedback').set({ state: 'withdrawn' }).where('state', 'in', states);
}
