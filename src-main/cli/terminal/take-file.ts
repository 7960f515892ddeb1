import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { placeNew } from '../../base/atomic-file.ts';

export interface TakenTo {
  file: string;
  /** Whether a file that is there gives way. */
  force: boolean;
}

/** Looks whether a file can be put there, before there is work for it. @throws BAD_REQUEST */
export async function checkPlace({ file, force }: TakenTo): Promise<void> {
  const folder = dirname(file);
  if (!(await lookAt(folder))?.isDirectory()) throw bad(`There is no folder ${folder}.`);
  const there = await lookAt(file);
  if (there?.isDirectory()) throw bad(`${file} is a folder.`, 'Name a file in it.');
  if (there && !force) throw isThere(file);
}

/** Copies what a node has made for whoever asked. @throws as {@link makeFile} */
export async function takeFile(from: string, to: TakenTo): Promise<void> {
  await makeFile(to, (temporary) => copyFile(from, temporary, constants.COPYFILE_EXCL));
}

/**
 * Makes a file for whoever asked. It is there as a whole, or not at all: what was there before stays until then.
 * @param make writes it to the path that it is given, where nothing is yet
 * @throws BAD_REQUEST where it cannot be put there, as a file that does not give way; what making it throws
 */
export async function makeFile({ file, force }: TakenTo, make: (temporary: string) => Promise<void>): Promise<void> {
  await checkPlace({ file, force });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await make(temporary);
    if (force) await rename(temporary, file);
    else await placeNew(temporary, file);
  } catch (error) {
    throw named(error, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Undefined where nothing is, also where what should be a folder is none. */
async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw named(error, path);
  }
}

function named(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return isThere(path);
  if (code === 'ENOSPC') {
    return new QuarryError({ code: 'DISK_FULL', message: `There is no room left for ${path}.` }, { cause: error });
  }
  return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? bad(`You may not write ${path}.`) : error;
}

const isThere = (file: string) =>
  bad(`There is a file already: ${file}`, 'Choose another name, or say --force to replace it.');

function bad(message: string, hint?: string): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'file' });
}
