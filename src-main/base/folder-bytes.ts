import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from './swallowed.ts';

/** Of all files of a folder and those below it; what goes away meanwhile does not count. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing)) ?? [];
  let sum = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    sum += (await stat(join(entry.parentPath, entry.name)).catch(ifMissing))?.size ?? 0;
  }
  return sum;
}
