import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { isLocked, tryLock } from '../../base/file-lock.ts';
import { givenFile } from '../terminal/given-file.ts';

/** Of a preference of one's own, which may have a million characters. */
const MOST_BYTES = 4_000_000;

/** Preferences of one's own, as they are written. @throws BAD_REQUEST for a file that cannot be read */
export async function readOwn(paths: readonly string[]): Promise<string[]> {
  return await Promise.all(paths.map(readOne));
}

async function readOne(path: string): Promise<string> {
  return (await givenFile(path, MOST_BYTES, `«${path}» is larger than ${MOST_BYTES / 1e6} MB.`)).toString('utf8');
}

/** Looks whether results can be in a folder, one that is there or not. @throws BAD_REQUEST where a file is in the way, or nobody may look */
export async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const why = error.code === 'ENOTDIR' ? 'a file is in the way' : (error.code ?? error.message);
    throw bad(`The results cannot be in ${path}: ${why}.`, 'out', error);
  });
  if (found && !found.isDirectory()) throw bad(`${path} is a file, and a folder is wanted.`, 'out');
}

const LOCK = '.lock';

/** Looks whether another evaluation writes into a folder. @throws BAD_REQUEST where one does */
export function checkFree(folder: string): void {
  if (isLocked(join(folder, LOCK))) throw taken(folder);
}

/** Keeps others out of a folder, which is made where it is not there. @throws BAD_REQUEST where one is at work in it; what keeps it from being made */
export async function takeFolder(folder: string): Promise<AsyncDisposable> {
  await mkdir(folder, { recursive: true });
  const lock = tryLock(join(folder, LOCK));
  if (!lock) throw taken(folder);
  return {
    async [Symbol.asyncDispose]() {
      lock.close();
      await rm(join(folder, LOCK), { force: true });
    },
  };
}

const taken = (folder: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `Another evaluation writes into ${folder}.`,
    hint: 'Name another folder, or wait until that one is over.',
    field: 'out',
  });

/** Of a folder that cannot be written. @returns other errors as they are */
export function notWritable(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? bad(`You may not write in ${path}.`, 'out', error) : error;
}

function bad(message: string, field: 'file' | 'out', cause?: unknown): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field }, { cause });
}
