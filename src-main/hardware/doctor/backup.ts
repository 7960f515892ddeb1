import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';
import { daysSince } from './days-since.ts';

export interface BackupFacts {
  /** When this node was backed up last (Unix milliseconds); null when it never was. */
  lastAt: number | null;
  /** Whether what it would lose takes long to earn again. */
  worthIt: boolean;
}

/** Whether what this node has earned would survive the loss of its disk. @param now Unix milliseconds */
export function checkBackup({ lastAt, worthIt }: BackupFacts, now: number): CheckResult {
  const name = 'backup';
  if (lastAt !== null) {
    const days = daysSince(lastAt, now);
    const found = days > 0 ? say('doctor.backup.made', { days }) : say('doctor.backup.today');
    return { name, status: 'ok', ...told({ found }) };
  }
  if (!worthIt) return { name, status: 'ok', ...told({ found: say('doctor.backup.notYet') }) };
  const advice = say('doctor.backup.make');
  return { name, status: 'warn', ...told({ found: say('doctor.backup.never'), advice }) };
}
