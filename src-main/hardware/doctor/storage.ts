import { constants } from 'node:fs';
import { access, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { Reading } from '../reading.ts';
import type { DiskInfo } from '../report.ts';
import type { CheckResult } from './check.ts';

/** Whether files can be written to the data folder, or the folder be made where it is to be. */
export async function checkDataDir(dataDir: string): Promise<CheckResult> {
  const name = 'data folder';
  try {
    const folder = await stat(dataDir).catch(ifMissing);
    if (!folder) return await checkParent(dataDir);
    await writeAndRemove(join(dataDir, `.doctor-${process.pid}`));
    return { name, status: 'ok', ...told({ found: say('doctor.folder.fine', { dataDir }) }) };
  } catch (error) {
    return {
      name,
      status: 'fail',
      ...told({
        found: say('doctor.folder.readOnly', { dataDir, why: (error as NodeJS.ErrnoException).code ?? String(error) }),
        advice: say('doctor.folder.permissions'),
      }),
    };
  }
}

/** A doctor changes nothing: a folder that is not there yet is not made, only its nearest parent looked at. */
async function checkParent(dataDir: string): Promise<CheckResult> {
  let parent = dirname(dataDir);
  while (parent !== dirname(parent) && !(await stat(parent).catch(ifMissing))) parent = dirname(parent);
  await access(parent, constants.W_OK);
  return { name: 'data folder', status: 'ok', ...told({ found: say('doctor.folder.new', { dataDir }) }) };
}

/** Through to the disk: some full or read-only drives say so only then. */
async function writeAndRemove(path: string): Promise<void> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile('quarry');
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

const GIB = 1024 ** 3;
/** Less than this and the ledger may soon fail to write. */
const SCARCE = GIB;
/** Less than this and no useful model fits. */
const TIGHT = 5 * GIB;

/** Whether the drive of the data folder has room for the ledger and a model. */
export function checkDisk(disk: Reading<DiskInfo>): CheckResult {
  const name = 'disk';
  if (disk.value === undefined)
    return {
      name,
      status: 'skip',
      ...told({ found: say('doctor.disk.unknown', { reason: wordsOf(disk, 'reason') }) }),
    };
  const { path, free, total } = disk.value;
  const found = say('doctor.disk.free', { free, total, path });
  if (free >= TIGHT) return { name, status: 'ok', ...told({ found }) };
  const advice = say('doctor.disk.makeRoom');
  return { name, status: free < SCARCE ? 'fail' : 'warn', ...told({ found, advice }) };
}

/** Whether the server for a validator’s results answers and lets us in. @param look says what it is, or throws why not */
export async function checkDatabase(look: () => Promise<string>): Promise<CheckResult> {
  const name = 'database';
  try {
    return { name, status: 'ok', ...told({ found: say('doctor.database.answers', { server: await look() }) }) };
  } catch (error) {
    const failure = QuarryError.from(error);
    const advice = failure.hint === undefined ? undefined : (failure.said?.hint ?? failure.hint);
    return { name, status: 'fail', ...told({ found: wordsOf(failure, 'message'), advice }) };
  }
}
