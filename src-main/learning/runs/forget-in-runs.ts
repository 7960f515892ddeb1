import type { CompletionStore } from '../../store/learning-completions.ts';
import type { LearningRunStore } from '../../store/learning-run-store.ts';
import { beginAnew } from './begun-from.ts';
import type { LearningQueue } from './learning-queue.ts';
import { hasForgotten } from './lesson-sources.ts';
import type { RunFiles } from './run-files.ts';

export interface ForgettingNeeds {
  store: Pick<LearningRunStore, 'get' | 'restart' | 'unfinished'>;
  completions: Pick<CompletionStore, 'find'>;
  queue: Pick<LearningQueue, 'between'>;
  filesOf: (run: string) => RunFiles;
}

/** Runs that are under way or wait learn from nothing that was forgotten, and have none of it in their files: those that did begin anew. */
export async function forgetInRuns({ store, completions, queue, filesOf }: ForgettingNeeds): Promise<void> {
  for (const { id, parent } of await store.unfinished()) {
    const files = filesOf(id);
    if (!(await hasForgotten(files, completions))) continue;
    await queue.between(async () => {
      const isUnfinished = (await store.get(id))?.ended_at === null;
      if (isUnfinished) await beginAnew(id, parent, { store, files });
    });
  }
}
