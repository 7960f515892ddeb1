import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { bytesAtMost, openRegular } from '../../base/regular-file.ts';
import { fileTrouble } from './file-trouble.ts';

/**
 * All bytes of a file that was named as an argument. What has more than may be is not read, and a pipe is not waited at.
 * @param most bytes
 * @param tooLarge what is said of one that has more
 * @throws BAD_REQUEST with the field `file` where it cannot be read, is no file, or is too large
 */
export async function givenFile(path: string, most: number, tooLarge: string): Promise<Buffer> {
  await using file = await openRegular(path).catch((error: NodeJS.ErrnoException) => {
    throw refused(fileTrouble(path, error), error);
  });
  if (!file) throw refused(`«${path}» is a folder, a pipe or a device, and a file is wanted.`);
  const bytes = await bytesAtMost(file, most);
  if (!bytes) throw refused(tooLarge);
  return bytes;
}

const refused = (message: string, cause?: unknown) =>
  new QuarryError({ code: 'BAD_REQUEST', message, field: 'file' }, { cause });
