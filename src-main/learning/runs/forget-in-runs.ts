import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { CompletionStore } from '../../store/learning/learning-completions.ts';
import type { LearningRunStore } from '../../store/learning/learning-run-store.ts';
import { beginAnew } from './begun-from.ts';
import type { LearningQueue } from './learning-queue.ts';
import { hasForgotten } from './lesson-sources.ts';
import type { RunFiles } from './run-files.ts';

export interface ForgettingNeeds {
  store: Pick<LearningRunStore, 'get' | 'restart' | 'unfinished' | 'end'>;
  completions: Pick<CompletionStore, 'find' | 'isPrivate'>;
  queue: Pick<LearningQueue, 'between'>;
  filesOf: (run: string) => RunFiles;
}

/**
 * Runs that are under way or wait learn from nothing that was forgotten, and have none of it in their files: those that did begin anew. One of which that
 * cannot be looked at fails, and its feedback waits again: it may learn from what was forgotten, and nobody knows.
 */
export async function forgetInRuns(needs: ForgettingNeeds): Promise<void> {
  const { store, completions, queue, filesOf } = needs;
  for (const { id, parent } of await store.unfinished()) {
    const files = filesOf(id);
    const found = await hasForgotten(files, completions).catch(unreadable);
    if (found === false) continue;
    await queue.between(async () => {
      const isUnfinished = (await store.get(id))?.ended_at === null;
      if (!isUnfinished) return;
      if (found instanceof QuarryError) await fail(id, found, { store, files });
      else await beginAnew(id, parent, { store, files });
    });
  }
}

async function fail(
  run: string,
  why: QuarryError,
  { store, files }: { store: Pick<LearningRunStore, 'end'>; files: RunFiles },
): Promise<void> {
  await store.end(run, 'failed', { error: JSON.stringify(why.toJSON()), ended_at: Date.now() });
  await files.remove();
}

function unreadable(cause: unknown): QuarryError {
  const system = cause instanceof Error ? cause.message : String(cause);
  return new QuarryError({ code: 'INTERNAL', message: say('learning.unreadableRun', { system }) }, { cause });
}
