import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where a program is that one types by its name.
 * @param path folders as in the environment. Default: those of this process
 * @returns undefined where no folder has it
 */
export function onPath(name: string, path = process.env.PATH ?? ''): string | undefined {
  const files = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => files.map((file) => join(folder, file))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // it is not there, or cannot be run: either way it is not what one types
  }
}
