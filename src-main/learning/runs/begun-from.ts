import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { LearningRunStore } from '../../store/learning-run-store.ts';
import type { RunRow } from '../../store/learning-runs.ts';
import { jsonPiece, type RunFiles } from './run-files.ts';

const FROM = jsonPiece('from', z.object({ parent: z.string().nullable(), base: z.string() }));

/**
 * A run that was begun goes on where it stood. Where another version is in use by now, or another model, it begins anew: what it has done is of no use to
 * that one.
 */
export async function begunFrom(
  run: RunRow,
  from: { parent: string | null; base: string },
  { store, files }: { store: Pick<LearningRunStore, 'set' | 'restart'>; files: RunFiles },
): Promise<void> {
  await files.open();
  const began = await files.once(FROM, async () => from);
  if (!isDeepStrictEqual(began, from)) {
    await beginAnew(run.id, from.parent, { store, files });
    await files.once(FROM, async () => from);
  }
  await store.set(run.id, { parent: from.parent, started_at: run.started_at ?? Date.now() });
}

/** Nothing of what it has done is kept. Killed amid it, its files are still there. */
export async function beginAnew(
  run: string,
  parent: string | null,
  { store, files }: { store: Pick<LearningRunStore, 'restart'>; files: RunFiles },
): Promise<void> {
  await store.restart(run, parent);
  await files.remove();
}
