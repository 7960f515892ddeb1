import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './atomic-file.ts';

/**
 * Makes a folder that must not be there yet: all of it, under its name, or nothing. What a kill leaves is known to `removeLeftovers`.
 * @param fill makes it at the path that it is given, and sees to it that its files are on the disk
 * @throws ENOTEMPTY or EEXIST when it is there by now
 */
export async function makeWhole(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await fill(temporary);
    await rename(temporary, folder);
    await syncFolder(dirname(folder));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
