import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../base/swallowed.ts';

/** What the model folder takes; sizes in bytes. */
export interface DiskUse {
  folder: string;
  /** Free on the folder's drive. */
  free: number;
  models: { name: string; bytes: number }[];
  /** Downloads that are not complete: what they take so far. */
  partial: { name: string; bytes: number }[];
}

const PARTIAL = '.partial';
const BLOCK_BYTES = 512;

/** What the downloads in a folder that are not complete take; their files may be longer than what is in them. */
export async function partialDownloads(folder: string): Promise<DiskUse['partial']> {
  const files = ((await readdir(folder).catch(ifMissing)) ?? []).filter((file) => file.endsWith(PARTIAL));
  return await Promise.all(
    files.map(async (file) => {
      const { size, blocks } = await stat(join(folder, file));
      return { name: file.slice(0, -PARTIAL.length), bytes: Math.min(size, blocks * BLOCK_BYTES) };
    }),
  );
}
