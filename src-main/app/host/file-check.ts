import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { databaseDamaged } from '../../base/sqlite-error.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { CheckedChild } from '../../process/checked-child.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';
import { nodeSpawner, type ProcessSpawner } from '../../process/process-spawner.ts';
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
  { spawner = nodeSpawner, signal }: { spawner?: ProcessSpawner | undefined; signal?: AbortSignal } = {},
): Promise<void> {
  if ((await bytesOf(path)) + (await bytesOf(`${path}-wal`)) <= SHORT_FILE) return;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const env = allowedEnvironment(BASIC_ENVIRONMENT);
  const child = new CheckedChild({
    spawner,
    launch: { name: 'the check of the database', run: ENTRY, args: [path], env, limits: { priority: 10 } },
    messages,
    onMessage: ({ verdict }) => resolve(verdict),
    onDeath: (reason) =>
      reject(new QuarryError({ code: 'INTERNAL', message: say('database.notChecked', { path, reason }) })),
  });
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  child.send({});
  try {
    const verdict = await promise;
    if (verdict !== 'ok') throw databaseDamaged(path, verdict);
  } finally {
    signal?.removeEventListener('abort', abort);
    await child.close();
  }
}

async function bytesOf(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing))?.size ?? 0;
}
