import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/folder.ts';
import { sha256OfFile } from '../base/sha256.ts';
import type { ProcessSpawner } from '../process/process-spawner.ts';
import { PRELUDE } from './python-prelude.ts';
import { PythonProcess, pyodideFolder } from './python-process.ts';

const ROUGH = 'making-';

/**
 * The memory of an interpreter that has started, in a file (31 MB): others begin with it, in about a quarter of the time. It is made by a process that runs no stranger's program, and no process
 * that runs one can write it. Its name holds its digest, so that a damaged one is made anew, as is that of another version.
 *
 * @param folder that holds nothing else, and that nobody else writes to; made if need be
 * @returns where it lies
 * @throws what reading and writing there throws; ENGINE_UNAVAILABLE where no interpreter comes up
 */
export async function pythonSnapshot(folder: string, spawner: ProcessSpawner): Promise<string> {
  await makeFolder(folder, 0o700);
  const origin = originOfSnapshots();
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const [, of, digest] = file.split(/[-.]/);
    if (of === origin && digest === (await sha256OfFile(path))) return path;
    await rm(path, { force: true }); // another version’s, damaged, or not finished
  }
  return make(folder, origin, spawner);
}

async function make(folder: string, origin: string, spawner: ProcessSpawner): Promise<string> {
  const rough = join(folder, `${ROUGH}${randomBytes(6).toString('hex')}`);
  const maker = new PythonProcess({ spawner, to: rough });
  try {
    await maker.ready;
    const path = join(folder, `python-${origin}-${await sha256OfFile(rough)}.snapshot`);
    await rename(rough, path);
    return path;
  } finally {
    await maker.close();
    await rm(rough, { force: true });
  }
}

/** What makes one snapshot another: Pyodide, Node, and what an interpreter has read before it sees a program. */
function originOfSnapshots(): string {
  const { version } = JSON.parse(readFileSync(join(pyodideFolder(), 'package.json'), 'utf8'));
  const origin = [version, process.version, process.arch, PRELUDE].join('\n');
  return createHash('sha256').update(origin).digest('hex').slice(0, 16);
}
