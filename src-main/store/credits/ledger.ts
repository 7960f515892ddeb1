import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';
import type { EntryKind } from './entry-kinds.ts';
import type { EntryRow } from './ledger-tables.ts';

/** Accounts and what is added to (or taken from) each; amounts of 0 are left out. */
export type Postings = Record<string, number>;

/** What an entry says; the ledger adds its number and its place in the hash chain. */
export interface NewEntry {
  at: number;
  kind: EntryKind;
  /** What it is, and idempotency key. */
  key: string;
  requestId?: string;
  receiptId?: string;
  /** Number of the `reserve` entry that this one ends. */
  closes?: number;
  memo?: string;
  postings: Postings;
}

/**
 * Appends an entry. The database refuses one that does not balance, overdraws an account, or whose key is taken.
 *
 * @returns the entry's number
 */
export async function appendEntry(trx: Trx, entry: NewEntry): Promise<number> {
  const head = await trx.selectFrom('ledger_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  const postings = Object.entries(entry.postings).filter(([, amount]) => amount !== 0);
  const row: Omit<EntryRow, 'hash'> = {
    seq: head.seq + 1,
    at: entry.at,
    kind: entry.kind,
    key: entry.key,
    request_id: entry.requestId ?? null,
    receipt_id: entry.receiptId ?? null,
    closes: entry.closes ?? null,
    memo: entry.memo ?? '',
    prev: head.hash,
  };
  if (postings.length > 0) {
    const rows = postings.map(([account, amount]) => ({ entry: row.seq, account, amount }));
    await trx.insertInto('postings').values(rows).execute();
  }
  await trx
    .insertInto('ledger_entries')
    .values({ ...row, hash: entryHash(row, postings) })
    .execute();
  return row.seq;
}

/** Hash of an entry with its postings, 64 hex: it covers the hash before it, so no entry can change unseen. */
export function entryHash(row: Omit<EntryRow, 'hash'>, postings: readonly [account: string, amount: number][]): string {
  const ordered = [...postings].sort(([a], [b]) => (a < b ? -1 : 1));
  const { seq, at, kind, key, request_id, receipt_id, closes, memo, prev } = row;
  const text = JSON.stringify([prev, seq, at, kind, key, request_id, receipt_id, closes, memo, ordered]);
  return createHash('sha256').update(`quarry-ledger/v1\n${text}`).digest('hex');
}

/** What an account holds now; 0 when nothing was ever booked on it. */
export async function balanceOf(db: Db, account: string): Promise<number> {
  const row = await db.selectFrom('balances').select('balance').where('account', '=', account).executeTakeFirst();
  return row?.balance ?? 0;
}

/**
 * Balances whose accounts start with `prefix`, by what follows it, in its order.
 *
 * @param page `after`: what followed the prefix in the last one of the page before; `limit`: default, all of them
 */
export async function balancesUnder(
  db: Db,
  prefix: string,
  { after = '', limit = -1 }: { after?: string; limit?: number } = {},
): Promise<[rest: string, balance: number][]> {
  const { rows } = await sql<{ rest: string; balance: number }>`
    SELECT substr(account, ${prefix.length + 1}) AS rest, balance FROM balances
    WHERE account > ${prefix + after} AND account < ${`${prefix}\uffff`} ORDER BY account LIMIT ${limit}`.execute(db);
  return rows.map(({ rest, balance }) => [rest, balance]);
}

/** The number of the entry with a key; undefined when there is none. */
export async function findEntry(db: Db, key: string): Promise<number | undefined> {
  const row = await db.selectFrom('ledger_entries').select('seq').where('key', '=', key).executeTakeFirst();
  return row?.seq;
}

/** Entries whose keys start with `prefix`. */
export function entriesUnder(db: Db, prefix: string) {
  return db.selectFrom('ledger_entries').where('key', '>=', prefix).where('key', '<', `${prefix}\uffff`);
}

/** A key that no entry has, of those that begin so and go on with a number: 000000001, 000000002, … */
export async function nextKey(db: Db, prefix: string): Promise<string> {
  const last = await entriesUnder(db, prefix).select('key').orderBy('key', 'desc').limit(1).executeTakeFirst();
  const number = Number(last?.key.slice(prefix.length) ?? 0) + 1;
  return prefix + String(number).padStart(9, '0');
}
