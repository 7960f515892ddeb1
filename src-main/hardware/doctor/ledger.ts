import type { LedgerCheckReport } from '../../../src-preload/contract/credits.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** What the node's own look at database and ledger means to a person. @param report null where it takes none */
export function checkLedger(report: LedgerCheckReport | null): CheckResult {
  const name = 'ledger';
  if (!report) return { name, status: 'skip', ...told({ found: say('doctor.ledger.none') }) };
  const { status, found, advice } = finding(report);
  return { name, status, ...told({ found, advice }) };
}

function finding(report: LedgerCheckReport): { status: CheckResult['status']; found: Saying; advice?: Saying } {
  const { state, unclean, read, entries } = report;
  const problem = report.said?.[0] ?? report.problems[0] ?? '';
  const more = Math.max(0, report.problems.length - 1);
  switch (state) {
    case 'waiting':
      return { status: 'ok', found: say('doctor.ledger.waiting') };
    case 'running':
      if (unclean) return { status: 'warn', found: say('doctor.ledger.runningUnclean', { read, entries }) };
      return { status: 'ok', found: say('doctor.ledger.running', { read, entries }) };
    case 'sound':
      return { status: 'ok', found: say('doctor.ledger.sound', { entries }) };
    case 'damaged':
      return {
        status: 'fail',
        found:
          more > 0 ? say('doctor.ledger.damagedMore', { problem, more }) : say('doctor.ledger.damaged', { problem }),
        advice: say('doctor.ledger.repair'),
      };
    case 'failed':
      return { status: 'warn', found: say('doctor.ledger.failed', { problem }), advice: say('doctor.ledger.prove') };
  }
}
