import type { LedgerReport } from '../../../src-preload/contract/credits.ts';
import { say, sentence } from '../../../src-preload/contract/saying.ts';
import { Pace, type PaceOptions } from '../../base/pace.ts';
import type { Db } from '../../store/database.ts';
import { wrongOwnEntries } from '../../store/own-entries.ts';
import { wrongScoredEvents } from '../../store/scored-events.ts';
import { Findings } from './findings.ts';
import { auditJournal, auditProjections, readKept } from './journal-audit.ts';
import { auditPledges } from './pledge-audit.ts';
import { type Auditor, auditReceipts } from './receipt-audit.ts';

export interface VerifyOptions extends Pick<PaceOptions, 'rest' | 'signal'> {
  /** Told now and then: up to which entry the receipts were checked, which is most of the work, and how many entries there are. */
  onRead?: (read: number, entries: number) => void;
}

/**
 * Proves a ledger, or says what is wrong with it: every entry balances and the hash chain holds, balances, reservations and the
 * own history are what the entries give, every receipt is genuine and booked exactly once, and the score follows from the receipts.
 * Reads only, and a little at a time; what is booked meanwhile is left for the next time.
 *
 * @throws the signal's reason
 */
export async function verifyLedger(db: Db, auditor: Auditor, options: VerifyOptions = {}): Promise<LedgerReport> {
  const findings = new Findings();
  const pace = new Pace(options);
  const kept = await readKept(db);
  const journal = await auditJournal(db, kept, findings, pace);
  auditProjections(kept, journal, findings);
  await auditOwnEntries(db, kept.head.seq, findings, pace);
  const onRead = (seq: number) => options.onRead?.(seq, kept.head.seq);
  const receipts = await auditReceipts(db, auditor, kept, journal, findings, pace, onRead);
  await auditPledges(db, auditor, kept.head.seq, findings, pace);
  const found = findings.list();
  return {
    ok: found.length === 0,
    entries: journal.entries,
    receipts,
    openReservations: journal.openReservations.size,
    problems: found.map(sentence),
    ...(found.length > 0 && { said: Object.fromEntries(found.entries()) }),
  };
}

const PAGE = 200;

/** Compares the own history that is kept with what the journal gives, up to an entry. */
async function auditOwnEntries(db: Db, upTo: number, findings: Findings, pace: Pace): Promise<void> {
  for (let first = 1; first <= upTo; first += PAGE) {
    const wrong = await wrongOwnEntries(db, first, Math.min(first + PAGE - 1, upTo));
    wrong.push(...(await wrongScoredEvents(db, first, Math.min(first + PAGE - 1, upTo))));
    for (const seq of new Set(wrong)) findings.add(say('ledger.ownHistory', { seq: String(seq) }));
    await pace.breathe();
  }
}
