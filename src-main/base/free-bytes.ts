import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bytes that this user may still write on the drive of a folder, which need not exist yet. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bsize, bavail } = await statfs(folder);
    return bsize * bavail;
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return await freeBytes(parent);
  }
}
