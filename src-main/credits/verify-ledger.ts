import type { LedgerReport } from '../../src-preload/contract/credits.ts';
import type { Db } from '../store/database.ts';
import { Findings } from './findings.ts';
import { auditJournal, auditProjections, readKept } from './journal-audit.ts';
import { auditOwnEntries } from './own-entry-audit.ts';
import { type Auditor, auditReceipts } from './receipt-audit.ts';

/**
 * Proves a ledger, or says what is wrong with it: every entry balances and the hash chain holds, balances, reservations and the
 * own history are what the entries give, every receipt is genuine and booked exactly once, and the score follows from the receipts.
 * Reads only; what is booked meanwhile is left for the next time.
 */
export async function verifyLedger(db: Db, auditor: Auditor): Promise<LedgerReport> {
  const findings = new Findings();
  const kept = await readKept(db);
  const journal = await auditJournal(db, kept, findings);
  auditProjections(kept, journal, findings);
  await auditOwnEntries(db, kept.head.seq, findings);
  const receipts = await auditReceipts(db, auditor, kept, journal, findings);
  const problems = findings.list();
  return {
    ok: problems.length === 0,
    entries: journal.entries,
    receipts,
    openReservations: journal.openReservations.size,
    problems,
  };
}
