import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { makeFolder } from '../base/folder.ts';
import { ignoring } from '../base/swallowed.ts';

/** How a folder is tried out, and how long its drive has to answer. */
interface Trial {
  /** Default: makes the folder, and something in it that is gone again. */
  tryOut?: (path: string) => Promise<void>;
  /** Milliseconds. Default 10,000 */
  patienceMs?: number;
}

/**
 * Whether models can be kept in a folder, which is made if need be.
 * @throws CONFIG_INVALID saying why not
 */
export async function checkModelFolder(path: string, { tryOut = keepSomething, patienceMs = 10_000 }: Trial = {}) {
  const over = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: over.signal }).then(() => {
    throw folderRefused(path, say('library.folder.silent'));
  }, ignoring('it answered in time'));
  try {
    await Promise.race([tryOut(path), late]);
  } catch (error) {
    throw error instanceof QuarryError ? error : folderUnusable(path, error);
  } finally {
    over.abort();
  }
}

/** A folder for models that cannot be one. @param cause what the system says */
export function folderUnusable(path: string, cause: unknown): QuarryError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return folderRefused(path, WHY[code ?? ''] ?? code ?? message, cause);
}

const WHY: Record<string, Words> = {
  ENOENT: say('library.folder.notMade'),
  ENOTDIR: say('library.folder.noFolder'),
  EEXIST: say('library.folder.noFolder'),
  EACCES: say('library.folder.forbidden'),
  EPERM: say('library.folder.forbidden'),
  EROFS: say('library.folder.readOnly'),
  ENOSPC: say('library.folder.full'),
  EDQUOT: say('library.folder.full'),
};

async function keepSomething(path: string): Promise<void> {
  await makeFolder(path);
  await rmdir(await mkdtemp(join(path, '.quarry-')));
}

function folderRefused(path: string, why: Words, cause?: unknown): QuarryError {
  return new QuarryError(
    {
      code: 'CONFIG_INVALID',
      message: say('library.folderUnusable', { path, why }),
      hint: say('library.otherFolder'),
      field: 'models.folder',
    },
    { cause },
  );
}
