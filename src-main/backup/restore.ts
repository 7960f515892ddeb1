import { access, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeAtomically } from '../base/atomic-file.ts';
import { DATA, dataNames, dataPath } from '../base/data-folder.ts';
import { ifMissing } from '../base/swallowed.ts';

const catchUpSchema = z.object({ /** Unix milliseconds. */ at: z.int().min(0) });
/** Says that this node asks others what it has done, until it knows: it was restored, or somebody else was it meanwhile. */
export type CatchUp = z.infer<typeof catchUpSchema>;

/** Where a backup is to be unpacked for this data folder: it may be thrown away at any time. */
export const stagingOf = (dataDir: string) => dataPath(dataDir, 'restoreStaging');
/** The same, once it was decided: from the moment of this name on it takes the place of what is there, whoever dies meanwhile. */
const readyOf = (dataDir: string) => dataPath(dataDir, 'restoreReady');

/** Throws away what was unpacked and not decided on. */
export async function discardStaged(dataDir: string): Promise<void> {
  await rm(stagingOf(dataDir), { recursive: true, force: true });
}

/**
 * Decides that what was unpacked takes the place of what is there. When it resolves, {@link finishRestore} does so, at the latest at the next start.
 * @param at Unix milliseconds
 */
export async function decideRestore(dataDir: string, at: number): Promise<void> {
  const staging = stagingOf(dataDir);
  await mkdir(dataPath(staging, 'scoreLogs'), { recursive: true, mode: 0o700 }); // the log is written anew from the books
  await setCatchUp(staging, at);
  await syncFolder(staging);
  await rename(staging, readyOf(dataDir));
  await syncFolder(dataDir);
}

/**
 * Puts what was decided on into its place, and what was there aside; goes on where a process died. Only for the holder of the folder's lock,
 * before anything in it is opened.
 * @returns the folder with what was there before; undefined when there was nothing
 */
export async function finishRestore(dataDir: string): Promise<string | undefined> {
  const ready = readyOf(dataDir);
  const { at } = (await readCatchUp(ready)) ?? (await readCatchUp(dataDir)) ?? { at: 0 };
  if (!(await isThere(ready))) return undefined;
  const aside = dataPath(dataDir, 'beforeRestore') + new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const { name } of Object.values(DATA)) {
    if (!(await isThere(join(ready, name)))) continue;
    for (const file of givingWayTo(name)) await rename(join(dataDir, file), join(aside, file)).catch(ifMissing);
    await syncFolder(aside);
    await rename(join(ready, name), join(dataDir, name));
    await syncFolder(dataDir);
  }
  await rmdir(ready);
  const hadNothing = (await readdir(aside)).length === 0;
  if (hadNothing) await rmdir(aside);
  await syncFolder(dataDir);
  return hadNothing ? undefined : aside;
}

/** What is put aside before something of this name is put into its place. */
const givingWayTo = (restored: string) =>
  dataNames(({ name, givesWayTo }) => name === restored || givesWayTo === restored);

/** Whether a restore was decided on that is not done yet. */
export const isRestorePending = (dataDir: string) => isThere(readyOf(dataDir));

/** Since when this node has to catch up; undefined where it has. */
export async function readCatchUp(dataDir: string): Promise<CatchUp | undefined> {
  const text = await readFile(dataPath(dataDir, 'catchUp'), 'utf8').catch(ifMissing);
  if (text === undefined) return undefined;
  try {
    return catchUpSchema.parse(JSON.parse(text));
  } catch {
    return { at: 0 }; // that it is there says enough
  }
}

/** It asks others first at its next start. @param at Unix milliseconds */
export async function setCatchUp(dataDir: string, at: number): Promise<void> {
  await writeAtomically(dataPath(dataDir, 'catchUp'), JSON.stringify({ at } satisfies CatchUp), 0o600);
}

/** It has caught up. */
export async function clearCatchUp(dataDir: string): Promise<void> {
  await rm(dataPath(dataDir, 'catchUp'), { force: true });
}

async function isThere(path: string): Promise<boolean> {
  return (await access(path).then(() => true, ifMissing)) ?? false;
}
