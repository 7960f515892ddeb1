import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AdapterStore } from '../../store/learning/learning-adapters.ts';
import type { LearningRunStore } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';
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

/** Another version is in use by now than the one that a run began from. It begins anew from that one. */
export class OutOfDate extends Error {}

/**
 * Whether what a run began from is still what its adapter stands for.
 * @param parent id of the version; null: the model as it is
 * @returns the adapter's name by now
 * @throws OutOfDate where it is not
 */
export async function checkInUse(
  run: string,
  parent: string | null,
  { store, versions }: { store: Pick<LearningRunStore, 'get'>; versions: Pick<AdapterStore, 'adapter'> },
): Promise<string> {
  const row = await store.get(run);
  if (!row) throw new Error('the run is not there any more');
  const { latest = null } = (await versions.adapter(row.name)) ?? {};
  if (latest !== parent) throw new OutOfDate('another version is in use');
  return row.name;
}
