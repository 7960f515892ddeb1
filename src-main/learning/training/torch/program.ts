import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedPath } from '../../../base/installation.ts';

/** The files of resources/trainer/ that are run. */
const FILES = [
  '__main__.py',
  'adapter.py',
  'loss.py',
  'memory.py',
  'model.py',
  'optimizer.py',
  'session.py',
  'training.py',
  'weights.py',
  'wire.py',
];

export const trainerFile = (name: string): string => installedPath('resources', 'trainer', name);

/**
 * Writes the program out of the package, where Python cannot read it. Anew each time: what is run is what this version came with.
 * @param folder not there yet
 */
export async function writeProgram(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of FILES) await writeFile(join(folder, name), await readFile(trainerFile(name)));
}
