import { dataPath } from '../../base/data-folder.ts';
import { checkLedger } from '../../hardware/doctor/ledger.ts';
import { checkFile } from '../host/file-check.ts';
import { LedgerCheck } from '../node/ledger-check.ts';
import type { Core } from './core.ts';
import type { CreditsPart } from './credits.ts';
import type { Report } from './report.ts';

/** Milliseconds of rest for each that the ledger is read: the node has its own work to do. */
const REST = 2;

const MONTH_MS = 30 * 86_400_000;

/** The look at database and ledger that a node takes while it works. */
export type LedgerCheckPart = Pick<LedgerCheck, 'current'>;

export function openLedgerCheck(
  core: Pick<Core, 'config' | 'ports' | 'fileChecked' | 'openMark' | 'log' | 'onClose'>,
  credits: Pick<CreditsPart, 'verify'>,
): LedgerCheckPart {
  const { config, ports, fileChecked, openMark, log, onClose } = core;
  const path = dataPath(config.dataDir, 'database');
  const check = new LedgerCheck({
    unclean: openMark.found,
    checkFile: fileChecked ? undefined : (signal) => checkFile(path, { spawner: ports.spawner, signal }),
    prove: (signal, onRead) => credits.verify({ signal, onRead, rest: REST, fullAfterMs: MONTH_MS }),
    onSound: () => openMark.settle(),
    log,
  });
  onClose(() => check.close());
  check.open();
  return check;
}

/** @param check undefined on a node that was opened for a single command */
export function ledgerCheckReport(check: LedgerCheckPart | undefined): Report {
  if (!check) return {};
  return {
    figures: [
      {
        name: 'quarry_ledger_problems',
        help: 'What the last look at database and ledger has found wrong.',
        read: () => check.current().problems.length,
      },
    ],
    health: () => ({ ledger: check.current().state }),
    diagnostics: { ledger: async () => check.current() },
    checks: { ledger: async () => checkLedger(check.current()) },
  };
}
