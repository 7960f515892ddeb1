import type { LedgerReport } from '../../../src-preload/contract/credits.ts';
import { say, sentence } from '../../../src-preload/contract/saying.ts';
import { Pace, type PaceOptions } from '../../base/pace.ts';
import {
  areDaysRight,
  areQuartersRight,
  DAY_MS,
  ownQuarters,
  QUARTER_MS,
  type Stretch,
  wrongOwnEntries,
} from '../../store/credits/own-entries.ts';
import { wrongScoredEvents } from '../../store/credits/proofs.ts';
import type { Db } from '../../store/database.ts';
import { beginning, type Checkpoint, startFrom } from './checkpoint.ts';
import { Findings } from './findings.ts';
import { auditJournal, auditProjections, readKept } from './journal-audit.ts';
import { auditPledges, auditUnpledged } from './pledge-audit.ts';
import { type Auditor, auditReceipts } from './receipt-audit.ts';
import { auditVouchers } from './voucher-audit.ts';

export interface VerifyOptions extends Pick<PaceOptions, 'rest' | 'signal'> {
  /** Up to where the ledger was proven before. Default: everything is read. */
  from?: Checkpoint | undefined;
  /** Told now and then: up to which entry the receipts were checked, which is most of the work, and how many entries there are. */
  onRead?: ((read: number, entries: number) => void) | undefined;
}

/** What an audit has come to. */
export interface Proof {
  report: LedgerReport;
  /** Where the next one may go on; undefined where there was a finding, or nothing to prove. When all was read is for the caller to say. */
  reached: Omit<Checkpoint, 'fullAt'> | undefined;
}

/**
 * Proves a ledger, or says what is wrong with it: every entry balances and the hash chain holds, balances, reservations and the
 * own history are what the entries give, every receipt is genuine and booked exactly once, and the score follows from the receipts.
 * Reads only, and a little at a time; what is booked meanwhile is left for the next time. From a checkpoint on it reads what came since;
 * from one that does not fit the ledger, everything.
 *
 * @throws the signal's reason
 */
export async function verifyLedger(db: Db, auditor: Auditor, options: VerifyOptions = {}): Promise<Proof> {
  const findings = new Findings();
  const pace = new Pace(options);
  const kept = await readKept(db);
  const upTo = kept.head.seq;
  const start = (options.from && (await startFrom(db, options.from, upTo, pace))) ?? beginning();
  const { seq: from } = start;
  const pledgesFrom = Math.min(from, ...[...start.open.keys()].map((entry) => entry - 1));
  const journal = await auditJournal(db, start, kept, findings, pace);
  const balances = await auditProjections(db, start, kept, journal, findings, pace);
  await auditLists(db, { from, upTo }, findings, pace);
  const onRead = (seq: number) => options.onRead?.(seq, upTo);
  const { receipts, score } = await auditReceipts(db, auditor, start, kept, journal, findings, pace, onRead);
  await auditPledges(db, auditor, { from: pledgesFrom, upTo }, findings, pace);
  await auditUnpledged(db, auditor, { from, upTo }, findings, pace);
  await auditVouchers(db, auditor, { from, upTo }, findings, pace);
  const found = findings.list();
  const open = [...journal.openReservations].map(([entry, { holder, amount }]) => ({ entry, holder, amount }));
  const sound = found.length === 0 && upTo > 0;
  return {
    report: {
      ok: found.length === 0,
      entries: upTo,
      receipts,
      openReservations: open.length,
      problems: found.map(sentence),
      ...(found.length > 0 && { said: Object.fromEntries(found.entries()) }),
      ...(from > 0 && { provenBefore: from }),
    },
    reached: sound ? { v: 1, node: auditor.id, ...kept.head, balances, receipts, open, score } : undefined,
  };
}

const STEP = 200;

/**
 * Compares the lists that are kept of the node's own history and score with what the journal gives, between two entries, and its
 * sums over the time of those. The sums of a history that is wrong itself say nothing.
 */
async function auditLists(
  db: Db,
  { from, upTo }: { from: number; upTo: number },
  findings: Findings,
  pace: Pace,
): Promise<void> {
  const quarters = new Set<number>();
  let isRight = true;
  for (let first = from + 1; first <= upTo; first += STEP) {
    const last = Math.min(first + STEP - 1, upTo);
    for (const quarter of await ownQuarters(db, first, last)) quarters.add(quarter);
    const wrong = [...(await wrongOwnEntries(db, first, last)), ...(await wrongScoredEvents(db, first, last))];
    isRight &&= wrong.length === 0;
    for (const seq of new Set(wrong)) findings.add(say('ledger.ownHistory', { seq: String(seq) }));
    await pace.breathe();
  }
  if (isRight) await auditSums(db, quarters, from === 0, findings, pace);
}

/** Adds entries up to quarters, and quarters to days, in small steps. @param all what is kept of other times, too: there should be nothing */
async function auditSums(
  db: Db,
  quarters: ReadonlySet<number>,
  all: boolean,
  findings: Findings,
  pace: Pace,
): Promise<void> {
  const days = new Set([...quarters].map((quarter) => quarter - (quarter % DAY_MS)));
  for (const stretch of stretches(quarters, QUARTER_MS, all)) {
    if (!(await areQuartersRight(db, stretch))) return findings.add(say('ledger.ownSums'));
    await pace.breathe();
  }
  for (const stretch of stretches(days, DAY_MS, all)) {
    if (!(await areDaysRight(db, stretch))) return findings.add(say('ledger.ownSums'));
    await pace.breathe();
  }
}

/** Each span from its beginning to its end, in order; of `all` time with what lies between them. */
function stretches(begins: ReadonlySet<number>, span: number, all: boolean): Stretch[] {
  const ordered = [...begins].sort((a, b) => a - b);
  if (!all) return ordered.map((begin) => [begin, begin + span]);
  const ends = [...ordered.map((begin) => begin + span), Number.MAX_SAFE_INTEGER];
  return ends.map((end, index) => [ends[index - 1] ?? Number.MIN_SAFE_INTEGER, end]);
}
