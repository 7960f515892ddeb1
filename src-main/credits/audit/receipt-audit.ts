import { isDeepStrictEqual } from 'node:util';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import type { Verify } from '../../base/signing.ts';
import type { ReceiptRow } from '../../store/credits/ledger-tables.ts';
import type { Db } from '../../store/database.ts';
import { SCORE_EARNED } from '../books/accounts.ts';
import { receiptFault } from '../books/receipt-check.ts';
import { fromRow } from '../books/receipt-row.ts';
import { type Receipt, type ReceiptBody, receiptId, receiptSchema } from '../receipt.ts';
import { dayOf, ScoreReplay, type ScoreState } from '../score/score.ts';
import type { AuditStart } from './checkpoint.ts';
import type { Findings } from './findings.ts';
import type { JournalAudit, Kept } from './journal-audit.ts';
import { countReceipts } from './receipt-count.ts';

/** Entries that are looked at for receipts in one go. */
const STEP = 200;

/** Whose books are audited, and how signatures are checked. */
export interface Auditor {
  /** The node's own id, 64 hex. */
  id: string;
  verify: Verify;
}

type Scored = Omit<ReceiptRow, 'reason'>;

/** How many receipts there are, and the score that they give. */
export interface AuditedReceipts {
  receipts: number;
  score: ScoreState;
}

/**
 * Reads the receipts in the order of booking, from where the audit starts: both signatures, the points and the cost by their formulas, booked by one
 * entry; then scores this node's work anew and compares points, achievements and total.
 */
export async function auditReceipts(
  db: Db,
  auditor: Auditor,
  start: AuditStart,
  kept: Kept,
  journal: JournalAudit,
  findings: Findings,
  pace: Pace,
  onRead: (seq: number) => void,
): Promise<AuditedReceipts> {
  const replay = new ScoreReplay(start.score);
  let { receipts } = start;
  for await (const { seq, receipt } of readScored(db, start.seq, kept.head.seq)) {
    await pace.breathe();
    onRead(seq);
    if (!receipt) {
      replay.failure();
      continue;
    }
    receipts++;
    const body = auditReceipt(receipt, auditor, findings);
    if (!body || receipt.role !== 'worker') continue;
    if (start.seq > 0 && !replay.knows(body)) replay.recall(body, await countedBefore(db, body, start.seq));
    rescore(replay, receipt, body, findings);
  }
  // From a checkpoint on, those that came since are counted by their places.
  const count = start.seq > 0 ? kept.lastReceipt : await countReceipts(db, kept.lastReceipt, pace);
  if (count !== journal.booked || count !== receipts) {
    findings.add(say('ledger.receiptCounts', { kept: count, booked: journal.booked, readable: receipts }));
  }
  auditScore(replay.state, kept, journal, findings);
  return { receipts, score: replay.state };
}

/** @returns the receipt's body, if it can be read at all */
function auditReceipt(row: Scored, { id, verify }: Auditor, findings: Findings): ReceiptBody | undefined {
  const receipt = readReceipt(row);
  if (!receipt) {
    findings.add(say('ledger.receiptMalformed', { id: row.id }));
    return undefined;
  }
  const { body } = receipt;
  const which = { id: row.id };
  if (receiptId(body) !== row.id) findings.add(say('ledger.receiptChanged', which));
  const fault = receiptFault(receipt, verify);
  if (fault) findings.add(say('ledger.receiptVoid', { ...which, why: fault }));
  if (!isKeptAs(body, row)) findings.add(say('ledger.receiptMisplaced', which));
  if (row.charged < 0 || row.charged > body.cost)
    findings.add(say('ledger.receiptCharged', { ...which, charged: row.charged }));
  if (body[row.role] !== id) findings.add(say('ledger.receiptForeign', which));
  return body;
}

/** The columns that requests are found and counted by. */
function isKeptAs(body: ReceiptBody, row: Scored): boolean {
  const { requestId, worker, client, servedAt } = body;
  const same = row.request_id === requestId && row.worker === worker && row.client === client;
  return same && row.day === dayOf(servedAt);
}

function readReceipt(row: Scored): Receipt | undefined {
  try {
    return receiptSchema.parse(fromRow(row));
  } catch {
    return undefined; // the audit tells of it as a finding
  }
}

function rescore(replay: ScoreReplay, row: Scored, body: ReceiptBody, findings: Findings): void {
  const { counted } = replay.receipt(body);
  if (counted !== row.counted) {
    findings.add(say('ledger.receiptCounted', { id: row.id, points: row.counted, due: counted }));
  }
}

function auditScore(state: ScoreState, kept: Kept, journal: JournalAudit, findings: Findings): void {
  const booked = journal.balances.get(SCORE_EARNED) ?? 0;
  if (booked !== state.total) findings.add(say('ledger.wrongPoints', { booked, due: state.total }));
  if (!isDeepStrictEqual(kept.score, state)) findings.add(say('ledger.wrongScore'));
  if (!isDeepStrictEqual(kept.achievements, state.achievements)) {
    findings.add(say('ledger.wrongAchievements'));
  }
}

/** Receipts of the same two nodes and day that counted, by an entry. */
async function countedBefore(db: Db, { worker, client, servedAt }: ReceiptBody, seq: number): Promise<number> {
  const { count } = await db
    .selectFrom('receipts')
    .innerJoin('ledger_entries', 'ledger_entries.receipt_id', 'receipts.id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('worker', '=', worker)
    .where('client', '=', client)
    .where('day', '=', dayOf(servedAt))
    .where('counted', '>', 0)
    .where('seq', '<=', seq)
    .executeTakeFirstOrThrow();
  return count;
}

/** Receipts and failures in the order of booking, some entries at a time. A failure has no receipt. */
async function* readScored(
  db: Db,
  from: number,
  upTo: number,
): AsyncGenerator<{ seq: number; receipt: Scored | undefined }> {
  for (let after = from; after < upTo; after += STEP) {
    const rows = await db
      .selectFrom('ledger_entries as entry')
      .leftJoin('receipts', 'receipts.id', 'entry.receipt_id')
      .select(['entry.seq', 'entry.kind', 'receipts.id', 'receipts.request_id', 'worker', 'client', 'day'])
      .select(['body', 'worker_sig', 'client_sig', 'counted', 'charged', 'role'])
      .where('entry.kind', 'in', ['earn', 'pay', 'penalty'])
      .where('entry.seq', '>', after)
      .where('entry.seq', '<=', Math.min(after + STEP, upTo))
      .orderBy('entry.seq')
      .execute();
    for (const row of rows) {
      if (row.kind === 'penalty') yield { seq: row.seq, receipt: undefined };
      else if (row.id !== null) yield { seq: row.seq, receipt: row as Scored };
    }
  }
}
