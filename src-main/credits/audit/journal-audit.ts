import { say } from '../../../src-preload/contract/saying.ts';
import type { Pace } from '../../base/pace.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Db } from '../../store/database.ts';
import { entryHash } from '../../store/ledger.ts';
import type { EntryRow } from '../../store/ledger-tables.ts';
import { loadScore } from '../books/own-score.ts';
import type { ScoreState } from '../score/score.ts';
import { type BookedReceipt, entryFault, type OpenReservation, reservingHolder } from './entry-audit.ts';
import type { Findings } from './findings.ts';

const PAGE = 200;

type Posting = [account: string, amount: number];

interface JournalEntry {
  row: EntryRow;
  postings: Posting[];
  /** The receipt that it names, if that is kept. */
  receipt: BookedReceipt | undefined;
  /** Credits that were pledged under the reservation that it ends. */
  pledged: number;
}

/** What the journal itself says, for comparison with everything that is kept besides. */
export interface JournalAudit {
  entries: number;
  balances: Map<string, number>;
  /** What is still set aside, by the number of the entry that set it aside. */
  openReservations: Map<number, OpenReservation>;
  /** Ids of the receipts that entries name. */
  booked: Set<string>;
}

/** Everything that follows from the journal, as it is kept at one moment; entries after `head` are not audited. */
export interface Kept {
  head: { seq: number; hash: string };
  balances: Map<string, number>;
  /** Amounts by the number of the `reserve` entry. */
  reservations: Map<number, number>;
  receipts: number;
  /** Undefined when it cannot be read. */
  score: ScoreState | undefined;
  /** Ids, in the order of booking. */
  achievements: string[];
}

/** Reads what is kept in one transaction, so that a node at work can be audited too. */
export async function readKept(db: Db): Promise<Kept> {
  return await db.transaction().execute(async (trx) => {
    const balances = await trx.selectFrom('balances').selectAll().execute();
    const reservations = await trx.selectFrom('reservations').select(['entry', 'amount']).execute();
    const achievements = await trx.selectFrom('achievements').select('id').orderBy('entry').execute();
    const counted = trx.selectFrom('receipts').select((eb) => eb.fn.countAll<number>().as('count'));
    return {
      head: await trx.selectFrom('ledger_head').select(['seq', 'hash']).executeTakeFirstOrThrow(),
      balances: new Map(balances.map(({ account, balance }) => [account, balance])),
      reservations: new Map(reservations.map(({ entry, amount }) => [entry, amount])),
      receipts: (await counted.executeTakeFirstOrThrow()).count,
      score: await loadScore(trx).catch(
        ignoring('one that cannot be read is a finding: it is not what the receipts give'),
      ),
      achievements: achievements.map(({ id }) => id),
    };
  });
}

/**
 * Reads the journal from the first entry to the last: numbers without a gap, an unbroken hash chain that ends at the
 * recorded head, every entry balanced in credits and in score and booking what its kind, its receipt and its reservation
 * say, no overdraft at any point, every reservation ended once.
 */
export async function auditJournal(db: Db, { head }: Kept, findings: Findings, pace: Pace): Promise<JournalAudit> {
  const audit: JournalAudit = { entries: 0, balances: new Map(), openReservations: new Map(), booked: new Set() };
  let last = { seq: 0, hash: '0'.repeat(64) };
  for await (const entry of readJournal(db, head.seq)) {
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

/** Compares the balances and the open reservations that are kept with those that the journal gives. */
export function auditProjections(kept: Kept, audit: JournalAudit, findings: Findings): void {
  for (const account of new Set([...kept.balances.keys(), ...audit.balances.keys()])) {
    const balance = { kept: kept.balances.get(account) ?? 0, given: audit.balances.get(account) ?? 0 };
    if (balance.kept !== balance.given) findings.add(say('ledger.wrongBalance', { account, ...balance }));
  }
  for (const [entry, amount] of kept.reservations) {
    if (audit.openReservations.get(entry)?.amount !== amount)
      findings.add(say('ledger.reservationClosed', { entry: String(entry) }));
  }
  for (const entry of audit.openReservations.keys()) {
    if (!kept.reservations.has(entry)) findings.add(say('ledger.reservationLost', { entry: String(entry) }));
  }
}

function bookEntry(audit: JournalAudit, entry: JournalEntry, findings: Findings): void {
  const { row, postings } = entry;
  audit.entries++;
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
    if (audit.booked.has(row.receipt_id)) findings.add(say('ledger.bookedTwice', { id: row.receipt_id }));
    audit.booked.add(row.receipt_id);
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

/** The journal in order up to an entry, a page at a time. */
async function* readJournal(db: Db, upTo: number): AsyncGenerator<JournalEntry> {
  for (let after = 0; ; ) {
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
    const pledged = await readPledged(db, after, last.seq);
    for (const row of rows) {
      const receipt = receipts.get(row.receipt_id ?? '');
      yield { row, postings: postings.get(row.seq) ?? [], receipt, pledged: pledged.get(row.seq) ?? 0 };
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
    .select(['receipts.id', 'role', 'client', 'counted', 'charged'])
    .where('ledger_entries.seq', '>', after)
    .where('ledger_entries.seq', '<=', upTo)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What was pledged under the reservations that entries end, by the number of the entry that ends one. */
async function readPledged(db: Db, after: number, upTo: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .innerJoin('pledges', 'pledges.entry', 'ledger_entries.closes')
    .select(['ledger_entries.seq', 'credits'])
    .where('ledger_entries.seq', '>', after)
    .where('ledger_entries.seq', '<=', upTo)
    .execute();
  return new Map(rows.map(({ seq, credits }) => [seq, credits]));
}
