import type { Reading } from '../reading.ts';
import type { DiskInfo } from '../report.ts';
import { type CheckResult, gib } from './check.ts';

const GIB = 1024 ** 3;
/** Less than this and the ledger may soon fail to write. */
const SCARCE = GIB;
/** Less than this and no useful model fits. */
const TIGHT = 5 * GIB;

/** Whether the drive of the data folder has room for the ledger and a model. */
export function checkDisk(disk: Reading<DiskInfo>): CheckResult {
  const name = 'disk';
  if (disk.value === undefined) return { name, status: 'skip', found: `Free space is not known: ${disk.reason}.` };
  const { path, free, total } = disk.value;
  const found = `${gib(free)} of ${gib(total)} are free on the drive of ${path}.`;
  if (free >= TIGHT) return { name, status: 'ok', found };
  const advice = 'Free some space, or choose a folder on another drive with --data.';
  return { name, status: free < SCARCE ? 'fail' : 'warn', found, advice };
}
