import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { databaseDamaged } from '../../base/sqlite-error.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { childTask } from '../../process/child-task.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { SHORT_FILE } from '../../store/sqlite.ts';

const ENTRY = entryModule('store/file-check-child');
const messages = z.strictObject({ verdict: z.string().max(10_000) });

/**
 * Has SQLite read a whole database file, in a process of its own that stands back behind the node and can be ended. A short one is
 * read when it is opened.
 *
 * @throws DATABASE_CORRUPT when the file is not sound; INTERNAL when it could not be looked at; the signal's reason
 */
export async function checkFile(
  path: string,
  { spawner, signal }: { spawner?: ProcessSpawner | undefined; signal?: AbortSignal } = {},
): Promise<void> {
  if ((await bytesOf(path)) + (await bytesOf(`${path}-wal`)) <= SHORT_FILE) return;
  const env = allowedEnvironment(BASIC_ENVIRONMENT);
  const verdict = await childTask<z.infer<typeof messages>, string>({
    ...{ spawner, signal, messages, task: {} },
    launch: { name: 'the check of the database', run: ENTRY, args: [path], env, limits: { priority: 10 } },
    onReport: ({ verdict }, { resolve }) => resolve(verdict),
    died: (reason) => say('database.notChecked', { path, reason }),
  });
  if (verdict !== 'ok') throw databaseDamaged(path, verdict);
}

async function bytesOf(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing))?.size ?? 0;
}
