import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../src-main/base/atomic-file.ts';

/** What is measured for long, kept in a folder: what is there already is not measured again. */
export function measuredOnce(folder: string) {
  return async <T>(name: string, measure: () => Promise<T>): Promise<T> => {
    const file = join(folder, `${name}.json`);
    if (!existsSync(file)) {
      console.error(`${new Date().toISOString()} ${name} …`);
      await writeAtomically(file, JSON.stringify(await measure()));
    }
    return JSON.parse(await readFile(file, 'utf8')) as T;
  };
}
