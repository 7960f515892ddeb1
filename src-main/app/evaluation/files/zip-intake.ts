import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../../base/atomic-file.ts';
import { takeFromZip, ZipFault } from '../../../base/zip-members.ts';

/** LongBench's has 34. */
const MOST_MEMBERS = 1_000;

export interface ZipIntake {
  /** As people know it, and the server that it came from. */
  name: string;
  from: string;
  /** Names of files by what they are called in the zip. */
  members: ReadonlyMap<string, string>;
  folder: string;
  /** Bytes that one of them may have. */
  mostBytes: number;
}

/**
 * Takes the wanted files out of a zip that was fetched, all of them or none, and removes it.
 * @throws MODEL_INVALID for a zip that is of no use, as a download does for wrong bytes: what there is of it is then removed
 */
export async function takeIn(path: string, { name, from, members, folder, mostBytes }: ZipIntake): Promise<void> {
  const beside = (file: string) => join(folder, `${file}.unzipped`);
  const targetOf = (member: string) => {
    const file = members.get(member);
    return file === undefined ? undefined : beside(file);
  };
  await removeUnzipped(members, beside);
  try {
    const taken = await takeFromZip(path, { targetOf, mostBytes, mostMembers: MOST_MEMBERS });
    const missing = [...members].filter(([, file]) => !taken.has(beside(file)));
    if (missing.length > 0) {
      throw useless(say('contextFiles.noMember', { name, from, members: missing.map(([member]) => member) }));
    }
    for (const file of members.values()) await rename(beside(file), join(folder, basename(file)));
    await syncFolder(folder);
    await rm(path);
    await syncFolder(dirname(path));
  } catch (error) {
    await removeUnzipped(members, beside);
    if (!(error instanceof ZipFault)) throw error;
    const most = { name, from, most: mostBytes };
    throw useless(error.kind === 'tooLarge' ? say('contextFiles.bigMember', most) : say('contextFiles.badZip', most));
  }
}

async function removeUnzipped(members: ReadonlyMap<string, string>, beside: (file: string) => string): Promise<void> {
  for (const file of members.values()) await rm(beside(file), { force: true });
}

const useless = (message: ReturnType<typeof say>) =>
  new QuarryError({ code: 'MODEL_INVALID', message, hint: say('contextFiles.zipRemoved') });
