import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupHeader, Books, OpenedBackup } from '../../src-preload/contract/backup.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { placeNew, syncFolder, writeAtomically } from '../base/atomic-file.ts';
import { DATA, dataPath } from '../base/data-folder.ts';
import { isLocked, tryLock } from '../base/file-lock.ts';
import { entryModule } from '../base/installation.ts';
import { ifMissing } from '../base/swallowed.ts';
import { version } from '../base/version.ts';
import { readIdentity } from '../mesh/transport/identity.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../process/child-environment.ts';
import { childTask } from '../process/child-task.ts';
import { revived } from '../process/failure.ts';
import type { ProcessSpawner } from '../process/process-spawner.ts';
import { booksOf } from './contents.ts';
import { discardStaged, stagingOf } from './restore.ts';
import type { Kdf } from './sealed-file.ts';
import { type Report, reportSchema, type Task } from './tasks.ts';

const ENTRY = entryModule('backup/backup-child');
/** What the process may take beside the key derivation's memory, which is bounded by the format. */
const MEMORY = { memoryMiB: 2_048 };

export interface BackupTools {
  spawner?: ProcessSpawner | undefined;
  signal?: AbortSignal | undefined;
  /** Told how far it is, in bytes. */
  onProgress?: ((step: { done: number; total: number }) => void) | undefined;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** What the key derivation takes. Default: about a second and 256 MiB. */
  kdf?: Kdf;
}

/** What is in a backup, and what can be seen of it. */
export type BackupContents = BackupHeader & Books;

/**
 * Writes a backup of the node in a data folder, whether or not it runs. The file is there as a whole or not at all, readable by its owner only.
 *
 * @param options.overwrite whether a file that is there may be replaced; nothing else ever is. Default false
 * @throws BAD_REQUEST when there is a file, or what is none, or no node; DISK_FULL, OUT_OF_MEMORY, DATABASE_CORRUPT; the signal's reason
 */
export async function createBackup(
  { dataDir, to, password, overwrite = false }: { dataDir: string; to: string; password: string; overwrite?: boolean },
  tools: BackupTools = {},
): Promise<BackupContents> {
  const { now = Date.now, kdf } = tools;
  if (!(await readIdentity(dataDir)) || !(await stat(dataPath(dataDir, 'database')).catch(ifMissing))) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('backup.noNode', { dataDir }) });
  }
  const there = await stat(to).catch(ifMissing);
  if (there && !there.isFile()) throw noPlace(to); // a device would give way to a file, for everybody
  if (there && !overwrite) throw exists(to);
  const name = randomBytes(6).toString('hex');
  // Plain copies are never outside of the data folder. As long as the lock is held, no start removes them.
  const [temporary, lockFile] = [`${to}.${name}.tmp`, lockOf(dataDir, name)];
  const copies = { books: workFile(dataDir, `${name}.tmp`), results: workFile(dataDir, `${name}.results.tmp`) };
  const lock = tryLock(lockFile);
  try {
    const made = await run(
      { task: 'create', dataDir, copies, to: temporary, password, version, now: now(), kdf },
      tools,
    );
    if (overwrite) await rename(temporary, to);
    else await place(temporary, to);
    await syncFolder(dirname(to));
    await writeAtomically(dataPath(dataDir, 'lastBackup'), '', 0o600);
    return made;
  } finally {
    lock?.close();
    const plain = Object.values(copies).flatMap((copy) => [copy, `${copy}-journal`]);
    for (const file of [temporary, ...plain, lockFile]) await rm(file, { force: true });
  }
}

/**
 * Unpacks a backup beside what is in a data folder, and says what is in it and what it would replace. Nothing is replaced yet.
 * @throws BAD_REQUEST when the password is wrong (field `password`) or the file is none; DISK_FULL, OUT_OF_MEMORY, DATABASE_NEWER; the signal's reason
 */
export async function stageBackup(
  { dataDir, from, password }: { dataDir: string; from: string; password: string },
  tools: BackupTools = {},
): Promise<OpenedBackup> {
  const into = stagingOf(dataDir);
  try {
    const backup = await run({ task: 'open', from, into, password }, tools);
    return { backup, here: await booksHere(dataDir) };
  } catch (error) {
    await discardStaged(dataDir);
    throw error;
  }
}

/** How much the node in a data folder has; null where there is none. */
async function booksHere(dataDir: string): Promise<Books | null> {
  const identity = await readIdentity(dataDir);
  const database = dataPath(dataDir, 'database');
  if (!identity || !(await stat(database).catch(ifMissing))) return null;
  return booksOf(database, identity.id);
}

/** When the node in a data folder was backed up last (Unix milliseconds); null when it never was. */
export async function lastBackup(dataDir: string): Promise<number | null> {
  return (await stat(dataPath(dataDir, 'lastBackup')).catch(ifMissing))?.mtimeMs ?? null;
}

/** A file of the data folder that is removed at the next start at the latest. */
export const workFile = (dataDir: string, name: string): string => dataPath(dataDir, 'backupWork') + name;

/** Held while a backup of this name is made. */
const lockOf = (dataDir: string, name: string) => workFile(dataDir, `${name}.lock`);

/** Removes what backups that were killed left behind, and nothing of one that is being made now. Only for the holder of the folder's lock. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const prefix = DATA.backupWork.name;
  const files = ((await readdir(dataDir).catch(ifMissing)) ?? []).filter((file) => file.startsWith(prefix));
  const names = new Set(files.map((file) => file.slice(prefix.length).split('.')[0] ?? ''));
  const going = [...names].filter((name) => isLocked(lockOf(dataDir, name)));
  const left = files.filter((file) => !going.some((name) => file.startsWith(`${prefix}${name}.`)));
  await Promise.all(left.map((file) => rm(join(dataDir, file), { force: true })));
}

/** Gives the file its name, unless another one has it by now. */
async function place(temporary: string, to: string): Promise<void> {
  await placeNew(temporary, to).catch((error) => {
    throw error.code === 'EEXIST' ? exists(to) : error;
  });
}

function exists(to: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('backup.exists', { path: to }),
    hint: say('backup.otherName'),
  });
}

function noPlace(to: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('backup.noPlace', { path: to }),
    hint: say('backup.newName'),
  });
}

function run(task: Task, { spawner, signal, onProgress }: BackupTools): Promise<BackupContents> {
  const env = allowedEnvironment(BASIC_ENVIRONMENT);
  return childTask<Report, BackupContents>({
    ...{ spawner, signal, task },
    launch: { name: 'the backup', run: ENTRY, env, limits: { priority: 5, ...MEMORY } },
    messages: reportSchema,
    onReport: (report, { resolve, reject }) => {
      if ('result' in report) resolve(report.result);
      else if ('failed' in report) reject(revived(report.failed));
      else onProgress?.(report);
    },
    died: (reason) => say('backup.died', { reason }),
  });
}
