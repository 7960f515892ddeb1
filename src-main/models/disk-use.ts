import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../base/swallowed.ts';

/** What the model folder takes; sizes in bytes. */
export interface DiskUse {
  folder: string;
  /** Free on the folder's drive. */
  free: number;
  models: ModelUse[];
  /** Downloads that are not complete: what they take so far. */
  partial: { name: string; bytes: number }[];
}

/** What one model of the library takes on the disk. */
export interface ModelUse {
  name: string;
  bytes: number;
  /** Name of a model before it whose file this is, too: a second name (a hard link), which takes nothing. */
  sameAs?: string;
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

/** What models take, each file once. @param models in the order in which they are told; those without a file are left out */
export async function modelsUse(models: readonly { name: string; path: string }[]): Promise<ModelUse[]> {
  const looks = models.map(async ({ name, path }) => ({
    name,
    info: await stat(path, { bigint: true }).catch(ifMissing),
  }));
  const firstNames = new Map<string, string>();
  return (await Promise.all(looks)).flatMap(({ name, info }) => {
    if (!info?.isFile()) return [];
    const file = `${info.dev}:${info.ino}`;
    const sameAs = firstNames.get(file);
    if (sameAs === undefined) firstNames.set(file, name);
    return [{ name, bytes: Number(info.size), ...(sameAs !== undefined && { sameAs }) }];
  });
}
