import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import { ignoring } from '../../base/swallowed.ts';
import { entryHash } from '../../store/credits/ledger.ts';
import type { EntryRow } from '../../store/credits/ledger-tables.ts';
import { vouchersBetween } from '../../store/credits/vouchers.ts';
import type { Db } from '../../store/database.ts';
import { loadScore } from '../books/own-score.ts';
import type { ScoreState } from '../score/score.ts';
import type { Voucher } from '../voucher.ts';
import type { AuditStart } from './checkpoint.ts';
import { type BookedReceipt, entryFault, type OpenReservation, reservingHolder } from './entry-audit.ts';
import type { Findings } from './findings.ts';
import { BalanceDigest, keptBalances } from './kept-balances.ts';
import { lastReceipt } from './receipt-count.ts';
import { readVoucher } from './voucher-audit.ts';

const PAGE = 200;

type Posting = [account: string, amount: number];

interface JournalEntry {
  row: EntryRow;
  postings: Posting[];
  /** The receipt that it names, if that is kept. */
  receipt: BookedReceipt | undefined;
  /** An earlier entry names that receipt, too. */
  again: boolean;
  voucher: Voucher | undefined;
  /** Credits that were pledged for the part that it books, or under the reservation that it ends. */
  pledged: number;
}

/** What the journal itself says, for comparison with everything that is kept besides. */
export interface JournalAudit {
  /** Of every account that the entries which were read touch. */
  balances: Map<string, number>;
  /** What is still set aside, by the number of the entry that set it aside. */
  openReservations: Map<number, OpenReservation>;
  /** How many receipts entries name. */
  booked: number;
}

/** Everything that follows from the journal, as it is kept at one moment; entries after `head` are not audited. */
export interface Kept {
  head: { seq: number; hash: string };
  /** Amounts by the number of the `reserve` entry. */
  reservations: Map<number, number>;
  /** Place of the last receipt in the order in which they were kept. */
  lastReceipt: number;
  /** Undefined when it cannot be read. */
  score: ScoreState | undefined;
  /** Ids, in the order of booking. */
  achievements: string[];
}

/** Reads what is kept in one transaction, so that a node at work can be audited too. Balances are read later: see {@link keptBalances}. */
export async function readKept(db: Db): Promise<Kept> {
  return await db.transaction().execute(async (trx) => {
    const reservations = await trx.selectFrom('reservations').select(['entry', 'amount']).execute();
    const achievements = await trx.selectFrom('achievements').select('id').orderBy('entry').execute();
    return {
      head: await trx.selectFrom('ledger_head').select(['seq', 'hash']).executeTakeFirstOrThrow(),
      reservations: new Map(reservations.map(({ entry, amount }) => [entry, amount])),
      lastReceipt: await lastReceipt(trx),
      score: await loadScore(trx).catch(
        ignoring('one that cannot be read is a finding: it is not what the receipts give'),
      ),
      achievements: achievements.map(({ id }) => id),
    };
  });
}

/**
 * Reads the journal from where the audit starts to the last entry: numbers without a gap, an unbroken hash chain that ends at the
 * recorded head, every entry balanced in credits and in score and booking what its kind, its receipt and its reservation
 * say, no overdraft at any point, every reservation ended once.
 */
export async function auditJournal(
  db: Db,
  start: AuditStart,
  { head }: Kept,
  findings: Findings,
  pace: Pace,
): Promise<JournalAudit> {
  const { balances, open, receipts: booked } = start;
  const audit: JournalAudit = { balances, openReservations: open, booked };
  let last = { seq: start.seq, hash: start.hash };
  for await (const entry of readJournal(db, start.seq, head.seq)) {
    const { row, postings } = entry;
    const seq = String(row.seq);
    if (row.seq !== last.seq + 1) findings.add(say('ledger.entryMissing', { seq: String(last.seq + 1) }));
    if (row.prev !== last.hash) findings.add(say('ledger.chainBroken', { seq }));
    if (row.hash !== entryHash(row, postings)) findings.add(say('ledger.entryChanged', { seq }));
    bookEntry(audit, entry, findings);
    last = row;
    await pace.breathe();
  }
  if (head.seq !== last.seq || head.hash !== last.hash) {
    findings.add(say('ledger.endsEarly', { last: String(last.seq), recorded: String(head.seq) }));
  }
  return audit;
}

/**
 * Compares the balances and the open reservations that are kept with those that the journal gives. Accounts that no entry touched since
 * the audit's start were held against the checkpoint.
 *
 * @returns one figure for all balances, see {@link BalanceDigest}
 */
export async function auditProjections(
  db: Db,
  start: AuditStart,
  kept: Kept,
  audit: JournalAudit,
  findings: Findings,
  pace: Pace,
): Promise<string> {
  const digest = new BalanceDigest();
  const unseen = new Set(audit.balances.keys());
  const compare = (account: string, balance: { kept: number; given: number }) => {
    if (balance.kept !== balance.given) findings.add(say('ledger.wrongBalance', { account, ...balance }));
  };
  for await (const { account, balance } of keptBalances(db, kept.head.seq, pace)) {
    digest.add(account, balance);
    unseen.delete(account);
    compare(account, { kept: balance, given: audit.balances.get(account) ?? (start.seq > 0 ? balance : 0) });
  }
  for (const account of unseen) compare(account, { kept: 0, given: audit.balances.get(account) ?? 0 });
  for (const [entry, amount] of kept.reservations) {
    if (audit.openReservations.get(entry)?.amount !== amount)
      findings.add(say('ledger.reservationClosed', { entry: String(entry) }));
  }
  for (const entry of audit.openReservations.keys()) {
    if (!kept.reservations.has(entry)) findings.add(say('ledger.reservationLost', { entry: String(entry) }));
  }
  return digest.hex();
}

function bookEntry(audit: JournalAudit, entry: JournalEntry, findings: Findings): void {
  const { row, postings } = entry;
  const seq = String(row.seq);
  const ends = row.closes === null ? undefined : audit.openReservations.get(row.closes);
  const fault = entryFault({ ...entry, postings: Object.fromEntries(postings), ends });
  if (fault) findings.add(say('ledger.entryFault', { seq, fault }));
  const sums = { credits: 0, score: 0 };
  for (const [account, amount] of postings) {
    sums[account.startsWith('score:') ? 'score' : 'credits'] += amount;
    const balance = (audit.balances.get(account) ?? 0) + amount;
    audit.balances.set(account, balance);
    if (balance < 0 && !mayIssue(account)) findings.add(say('ledger.overdraws', { seq, account }));
  }
  if (sums.credits !== 0 || sums.score !== 0) findings.add(say('ledger.unbalanced', { seq }));
  if (row.kind === 'reserve') {
    audit.openReservations.set(row.seq, { holder: reservingHolder(row), amount: setAside(postings) });
  }
  if (row.closes !== null) closeReservation(audit, row, row.closes, postings, findings);
  if (row.receipt_id !== null) {
    if (entry.again) findings.add(say('ledger.bookedTwice', { id: row.receipt_id }));
    else audit.booked++;
  }
}

function closeReservation(
  audit: JournalAudit,
  row: EntryRow,
  closes: number,
  postings: Posting[],
  findings: Findings,
): void {
  const open = audit.openReservations.get(closes);
  const which = { seq: String(row.seq), closes: String(closes) };
  if (!open) findings.add(say('ledger.endsUnopened', which));
  else if (setAside(postings) !== -open.amount) findings.add(say('ledger.endsPartly', which));
  audit.openReservations.delete(closes);
}

const mayIssue = (account: string) => account.startsWith('issue:') || account === 'score:issued';

/** What an entry adds to an account of reserved credits. */
function setAside(postings: Posting[]): number {
  return postings.reduce((sum, [account, amount]) => (account.endsWith(':reserved') ? sum + amount : sum), 0);
}

/** The journal in order from after an entry up to another, a page at a time. */
async function* readJournal(db: Db, from: number, upTo: number): AsyncGenerator<JournalEntry> {
  for (let after = from; ; ) {
    const rows = await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const postings = await readPostings(db, after, last.seq);
    const receipts = await readBooked(db, after, last.seq);
    const again = await readBookedAgain(db, after, last.seq);
    const pledged = await readPledged(db, after, last.seq);
    const vouchers = await readVouchers(db, after, last.seq);
    for (const row of rows) {
      const receipt = receipts.get(row.receipt_id ?? '');
      const { seq } = row;
      const proofs = { receipt, again: again.has(seq), voucher: vouchers.get(seq), pledged: pledged.get(seq) ?? 0 };
      yield { row, postings: postings.get(seq) ?? [], ...proofs };
    }
    after = last.seq;
  }
}

async function readPostings(db: Db, after: number, upTo: number): Promise<Map<number, Posting[]>> {
  const rows = await db
    .selectFrom('postings')
    .selectAll()
    .where('entry', '>', after)
    .where('entry', '<=', upTo)
    .execute();
  const byEntry = new Map<number, Posting[]>();
  for (const { entry, account, amount } of rows) {
    const list = byEntry.get(entry) ?? [];
    list.push([account, amount]);
    byEntry.set(entry, list);
  }
  return byEntry;
}

async function readBooked(db: Db, after: number, upTo: number): Promise<Map<string, BookedReceipt>> {
  const rows = await db
    .selectFrom('receipts')
    .innerJoin('ledger_entries', 'ledger_entries.receipt_id', 'receipts.id')
    .select(['receipts.id', 'role', 'worker', 'client', 'counted', 'charged'])
    .where('ledger_entries.seq', '>', after)
    .where('ledger_entries.seq', '<=', upTo)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Entries that name a receipt which an earlier one names. */
async function readBookedAgain(db: Db, after: number, upTo: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_entries as earlier', 'earlier.receipt_id', 'entry.receipt_id')
    .select('entry.seq')
    .where('entry.seq', '>', after)
    .where('entry.seq', '<=', upTo)
    .whereRef('earlier.seq', '<', 'entry.seq')
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}

/** What was pledged for the parts that entries book (before the claims: under the reservations that they end), by their numbers. */
async function readPledged(db: Db, after: number, upTo: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .innerJoin('pledges', (join) =>
      join.on((eb) => eb('pledges.entry', '=', eb.fn.coalesce('ledger_entries.closes', 'ledger_entries.seq'))),
    )
    .where('ledger_entries.kind', 'in', ['release', 'earn', 'pay'])
    .select(['ledger_entries.seq', 'credits'])
    .where('ledger_entries.seq', '>', after)
    .where('ledger_entries.seq', '<=', upTo)
    .execute();
  return new Map(rows.map(({ seq, credits }) => [seq, credits]));
}

async function readVouchers(db: Db, after: number, upTo: number): Promise<Map<number, Voucher | undefined>> {
  const rows = await vouchersBetween(db, after, upTo);
  return new Map(rows.map((row) => [row.entry, readVoucher(row)]));
}
