import { randomBytes } from 'node:crypto';
import { constants, copyFile, rename, rm } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { placeNew } from '../../base/atomic-file.ts';

export interface TakenTo {
  file: string;
  /** Whether a file that is there gives way. */
  force: boolean;
}

/**
 * Copies what a node has made for whoever asked. It is there as a whole, or not at all: what was there before stays until then.
 * @throws BAD_REQUEST where a file is there that does not give way
 */
export async function takeFile(from: string, { file, force }: TakenTo): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    if (force) await rename(temporary, file);
    else await placeNew(temporary, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? isThere(file) : error;
  } finally {
    await rm(temporary, { force: true });
  }
}

export const isThere = (file: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `There is a file already: ${file}`,
    hint: 'Choose another name, or say --force to replace it.',
    field: 'file',
  });
