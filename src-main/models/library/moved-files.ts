import { lstat, readdir, readlink, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { makeFolder } from '../../base/folder.ts';
import { sha256OfFile } from '../../base/sha256.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { linkOrCopy, type PlaceOptions } from './place-file.ts';

/** A file of a folder that moves. */
export interface MovedFile {
  /** From the folder. */
  path: string;
  bytes: number;
  /** A link to a file elsewhere, which stays where it is. */
  symbolic: boolean;
}

/** Every file of a folder and of the folders in it. */
export async function filesIn(folder: string): Promise<MovedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  return await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size: bytes } = await lstat(path);
      return { path: relative(folder, path), bytes, symbolic: entry.isSymbolicLink() };
    }),
  );
}

/**
 * Puts a file of `from` into `to`, and reads a copy again to see whether the drive gives back what was written.
 * Its bytes count twice for `onBytes`: written and read.
 */
export async function placeMoved(file: MovedFile, from: string, to: string, options: PlaceOptions): Promise<void> {
  const source = join(from, file.path);
  const target = join(to, file.path);
  await makeFolder(dirname(target));
  if (file.symbolic) {
    await rm(target, { force: true });
    return await symlink(resolve(dirname(source), await readlink(source)), target);
  }
  const copied = await linkOrCopy(source, target, options);
  if (copied === undefined) return options.onBytes?.(2 * file.bytes);
  if ((await sha256OfFile(target, options.signal, options.onBytes)) === copied) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.faultyDrive', { target }),
    hint: say('library.otherDrive'),
    field: 'folder',
  });
}

/** Deletes from `copies` what `originals` has too, and what folders are empty then. */
export async function removeCopies(originals: string, copies: string): Promise<void> {
  for (const { path } of await filesIn(originals)) await rm(join(copies, path), { force: true });
  await removeEmptyFolders(copies);
}

/**
 * Empties a folder whose files were placed in `to`. A file that is not there, because somebody added or changed it
 * meanwhile, is placed first.
 */
export async function removeMoved(originals: string, to: string, options: PlaceOptions): Promise<void> {
  for (const file of await filesIn(originals)) {
    const placed = await lstat(join(to, file.path)).catch(ifMissing);
    const same = placed && (file.symbolic ? placed.isSymbolicLink() : placed.size === file.bytes);
    if (!same) await placeMoved(file, originals, to, options);
    await rm(join(originals, file.path));
  }
  await removeEmptyFolders(originals);
}

/** The folder and those in it, as far as they are empty. */
async function removeEmptyFolders(folder: string): Promise<void> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing)) ?? [];
  const inside = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const deepestFirst = [...inside.sort((a, b) => b.length - a.length), folder];
  for (const path of deepestFirst) await rmdir(path).catch(ignoring('not empty, or a drive’s own folder'));
}
