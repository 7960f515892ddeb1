import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoring } from './swallowed.ts';

/**
 * Makes a folder and those it is in; one that is there is left as it is. Step by step from above: asked for all of them at
 * once, Node never comes back where a folder is there and takes none (`/proc`).
 *
 * @param mode of those that are made. Default 0o777, less the umask
 * @throws what the system says of the first that cannot be made
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (!(await isFolder(path))) throw error; // somebody else may have been quicker
  }
}

/** The same, for what is opened in one go. */
export function makeFolderNow(path: string): void {
  if (isFolderNow(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolderNow(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isFolderNow(path)) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoring('who makes it says what is wrong')))?.isDirectory() ?? false;
}

function isFolderNow(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // who makes it says what is wrong
  }
}
