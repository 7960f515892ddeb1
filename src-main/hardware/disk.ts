import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DiskInfo } from './report.ts';

/** Space on the drive that holds `folder`, which need not exist yet: its nearest parent that does is asked. */
export async function readDisk(folder: string): Promise<DiskInfo> {
  const path = resolve(folder);
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    return { path, total: bsize * blocks, free: bsize * bavail };
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return await readDisk(parent);
  }
}
