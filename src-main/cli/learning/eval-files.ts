import { readFile, stat } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { fileTrouble } from '../terminal/file-trouble.ts';

/** Preferences of one's own, as they are written. @throws BAD_REQUEST for a file that cannot be read */
export async function readOwn(paths: readonly string[]): Promise<string[]> {
  return await Promise.all(
    paths.map((path) =>
      readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw bad(fileTrouble(path, error), 'file', error);
      }),
    ),
  );
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

/** Of a folder that cannot be written. @returns other errors as they are */
export function notWritable(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EACCES', 'EPERM', 'EROFS'].includes(code) ? bad(`You may not write in ${path}.`, 'out', error) : error;
}

function bad(message: string, field: 'file' | 'out', cause?: unknown): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field }, { cause });
}
