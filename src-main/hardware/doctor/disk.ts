import { say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { Reading } from '../reading.ts';
import type { DiskInfo } from '../report.ts';
import type { CheckResult } from './check.ts';

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
