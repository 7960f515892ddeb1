import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifMissing } from './swallowed.ts';

const LEFTOVER = /\.[0-9a-f]{12}\.tmp$/;

/**
 * Writes beside the target, flushes, then renames: a crash leaves the old file or the new one, whole.
 *
 * @param mode who may read and write it, from its first byte on; 0o600 for what holds secrets. Default 0o666, less the umask
 */
export async function writeAtomically(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  await writeBeside(path, content, mode, (temporary) => rename(temporary, path));
}

/**
 * The same for a file that must not be there yet.
 * @throws EEXIST when it is
 */
export async function writeNew(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  await writeBeside(path, content, mode, (temporary) => placeNew(temporary, path));
}

/** Gives a finished file its name. @throws EEXIST when another one has it by now */
export async function placeNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    if (await stat(path).catch(ifMissing)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
    await rename(temporary, path); // a file system without links
  }
}

async function writeBeside(
  path: string,
  content: string | Uint8Array,
  mode: number,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Deletes what writes that were cut off left in a folder: files, and folders that were to be renamed. Only for the one process that writes these files. */
export async function removeLeftovers(folder: string, isOurs: (file: string) => boolean): Promise<void> {
  const files = (await readdir(folder).catch(ifMissing)) ?? [];
  const leftovers = files.filter((file) => LEFTOVER.test(file) && isOurs(file));
  await Promise.all(leftovers.map((file) => rm(join(folder, file), { recursive: true, force: true, maxRetries: 3 })));
}

/** Makes sure that the bytes of a file are on the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes sure that the names in a folder are on the disk. Windows has no such call, and does it by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
