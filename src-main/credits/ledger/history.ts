import { stringify } from 'csv-stringify/sync';
import { type RawBuilder, sql } from 'kysely';
import type { CreditEntry, EntryFilter, ServedRequest } from '../../../src-preload/contract/credits.ts';
import { ENTRY_KINDS, type EntryKind } from '../../store/credits/entry-kinds.ts';
import type { Db } from '../../store/database.ts';
import { ISSUE_GIFT, ISSUE_GIVEN, owes } from '../books/accounts.ts';
import type { ReceiptBody } from '../receipt.ts';
import { type HappenedRow, happened } from './happened.ts';

/** Most entries in one page of the history. */
const MAX_PAGE = 1_000;

/** Where an entry stands in the history: by time, and by number within a millisecond. */
interface Place {
  at: number;
  seq: number;
}

const BEGINNING: Place = { at: Number.MIN_SAFE_INTEGER, seq: 0 };
const END: Place = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

/** What is wanted of the history. No kinds, or an empty list of them, means all. */
export interface HistoryPage extends EntryFilter {
  limit: number;
  /** Number of an entry: only what came before it. */
  before?: number;
}

/** Kinds of before the claims: a newer ledger has none of them. */
const OLD_KINDS: readonly EntryKind[] = ['reserve', 'allowance'];

/** The kinds of entries that there are, or may be. */
export async function listKinds(db: Db): Promise<EntryKind[]> {
  const found = await Promise.all(OLD_KINDS.map((kind) => readPage(db, { kinds: [kind] }, ONE)));
  return ENTRY_KINDS.filter((kind) => found[OLD_KINDS.indexOf(kind)]?.length !== 0);
}

/** The entries that touch this node's own credits or score, newest first. */
export async function listEntries(db: Db, { limit, before, ...filter }: HistoryPage): Promise<CreditEntry[]> {
  const from = before === undefined ? END : await placeOf(db, before);
  return await readPage(db, filter, { from, order: 'DESC', limit: Math.min(limit, MAX_PAGE) });
}

/** The same entries oldest first, in pages, with a turn of the event loop between them. */
async function* readHistory(db: Db, filter: EntryFilter): AsyncGenerator<CreditEntry[], void, undefined> {
  let from = BEGINNING;
  for (;;) {
    const page = await readPage(db, filter, { from, order: 'ASC', limit: MAX_PAGE });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    from = last;
    await new Promise(setImmediate); // a long history must not hold up the node
  }
}

/** Before an entry that is not there yet comes everything. */
async function placeOf(db: Db, seq: number): Promise<Place> {
  const entries = db.selectFrom('ledger_entries').select(['at', 'seq']).where('seq', '>=', seq).orderBy('seq');
  return (await entries.limit(1).executeTakeFirst()) ?? END;
}

interface Page {
  /** The page begins behind this place. */
  from: Place;
  order: 'ASC' | 'DESC';
  limit: number;
}

const ONE: Page = { from: END, order: 'DESC', limit: 1 };

/** One page, each kind's part of it found by index: however long the ledger is, no more than the page is read. */
async function readPage(db: Db, filter: EntryFilter, page: Page): Promise<CreditEntry[]> {
  const kinds = [...new Set(filter.kinds)];
  const parts = kinds.length > 0 ? kinds.map((kind) => part(filter, page, kind)) : [part(filter, page)];
  const order = sql.raw(page.order);
  const { rows } = await sql<Pick<CreditEntry, 'seq' | 'at' | 'kind' | 'requestId' | 'points'> & HappenedRow>`
    SELECT own.seq, own.at, own.kind, entry.request_id AS "requestId", own.amount, own.points, entry.key, entry.memo,
      COALESCE(receipts.worker, vouchers.worker) AS worker, COALESCE(receipts.client, vouchers.client) AS client,
      vouchers.kind AS voucher, moved.amount AS moved,
      EXISTS (SELECT 1 FROM postings WHERE entry = own.seq AND account IN (${ISSUE_GIFT}, ${ISSUE_GIVEN})) AS given
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS found
    JOIN own_entries AS own ON own.seq = found.seq
    JOIN ledger_entries AS entry ON entry.seq = found.seq
    LEFT JOIN receipts ON receipts.id = entry.receipt_id
    LEFT JOIN vouchers ON vouchers.entry = own.seq
    LEFT JOIN postings AS moved ON moved.entry = own.seq AND moved.account = ${owes('')} || entry.memo
    ORDER BY found.at ${order}, found.seq ${order} LIMIT ${page.limit}`.execute(db);
  return rows.map((row) => {
    const { seq, at, kind, requestId, amount, points } = row;
    return { seq, at, kind, requestId, amount, points, ...happened(row) };
  });
}

function part({ from = BEGINNING.at, to = END.at }: EntryFilter, page: Page, kind?: string): RawBuilder<unknown> {
  const order = sql.raw(page.order);
  const behind = sql.raw(page.order === 'ASC' ? '>' : '<');
  return sql`SELECT * FROM (
    SELECT at, seq FROM own_entries
    WHERE ${kind === undefined ? sql`TRUE` : sql`kind = ${kind}`} AND at >= ${from} AND at < ${to}
      AND (at, seq) ${behind} (${page.from.at}, ${page.from.seq})
    ORDER BY at ${order}, seq ${order} LIMIT ${page.limit})`;
}

const COLUMNS = ['number', 'time', 'kind', 'request', 'credits', 'points', 'happened'];

/**
 * The history as CSV, oldest first: a piece with the head, then one for each page. Times are ISO 8601 in UTC. What
 * happened is told in English. Reasons and request ids come from peers: a text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
export async function* historyCsv(db: Db, filter: EntryFilter): AsyncGenerator<string, void, undefined> {
  yield stringify([COLUMNS]);
  for await (const page of readHistory(db, filter)) yield stringify(page.map(cells), { escape_formulas: true });
}

function cells({ seq, at, kind, requestId, amount, points, happened: what }: CreditEntry): (string | number)[] {
  return [seq, new Date(at).toISOString(), kind, requestId ?? '', amount, points, what];
}

/** What this node served and was paid for last, newest first. Receipts have no text of prompt or answer, only hashes. */
export async function listServed(db: Db, limit: number): Promise<ServedRequest[]> {
  const answers = await listAnswers(db, limit);
  return answers.map(({ counted, ...body }) => servedRequest(body, counted));
}

/** The receipts of what this node served last, newest first, each with the points that it counts for. */
export async function listAnswers(db: Db, limit: number): Promise<(ReceiptBody & { counted: number })[]> {
  const rows = await db
    .selectFrom('own_entries as own')
    .innerJoin('ledger_entries as entry', 'entry.seq', 'own.seq')
    .innerJoin('receipts', 'receipts.id', 'entry.receipt_id')
    .select(['receipts.body', 'receipts.counted'])
    .where('own.kind', '=', 'earn')
    .orderBy('own.at', 'desc')
    .orderBy('own.seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ body, counted }) => ({ ...(JSON.parse(body) as ReceiptBody), counted }));
}

function servedRequest(body: ReceiptBody, points: number): ServedRequest {
  const { requestId, servedAt: at, client, model, promptTokens, completionTokens, processingMs } = body;
  return { requestId, at, client, model, promptTokens, completionTokens, processingMs, points };
}
