import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { isWorthBackup } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { lastBackup } from '../../backup/backup.ts';
import { BackupDesk } from '../../backup/backup-desk.ts';
import { checkBackup } from '../../hardware/doctor/backup.ts';
import type { Core } from './core.ts';
import type { CreditsPart } from './credits.ts';
import type { Report } from './report.ts';

/** Backups of this node, and its way back. */
export interface BackupPart {
  readonly desk: Pick<BackupDesk, 'create' | 'upload' | 'show' | 'open' | 'discard'>;
  state(): Promise<{ lastAt: number | null; databaseBytes: number }>;
  /** Puts what was opened in the place of this node, which starts again. @throws NOT_RUNNING where it cannot */
  restore(): Promise<void>;
}

/** @param restart closes this node and opens another; undefined where it was opened for a single command */
export function openBackup(
  { config: { dataDir }, db, ports: { spawner } }: Pick<Core, 'config' | 'db' | 'ports'>,
  restart: (() => void) | undefined,
): BackupPart {
  const desk = new BackupDesk({ dataDir, db, tools: { spawner } });
  return {
    desk,
    state: async () => ({ lastAt: await lastBackup(dataDir), databaseBytes: await desk.databaseBytes() }),
    async restore() {
      if (!restart)
        throw new QuarryError({ code: 'NOT_RUNNING', message: say('node.noRestart'), hint: say('node.endAndStart') });
      await desk.decide(Date.now());
      setImmediate(restart); // whoever asked is answered first
    },
  };
}

export function backupReport(backup: Pick<BackupPart, 'state'>, credits: Pick<CreditsPart, 'holdings'>): Report {
  return {
    figures: [
      {
        name: 'quarry_backup_timestamp_seconds',
        help: 'When this node was backed up last, in Unix time; NaN where it never was.',
        read: async () => ((await backup.state()).lastAt ?? Number.NaN) / 1_000,
      },
    ],
    checks: {
      backup: async () => {
        const [{ lastAt }, { tier }] = [await backup.state(), await credits.holdings()];
        return checkBackup({ lastAt, worthIt: isWorthBackup(tier) }, Date.now());
      },
    },
  };
}
