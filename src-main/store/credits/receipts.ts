import SQLite from 'better-sqlite3';
import { z } from 'zod';
import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';
import type { OutboxRow, ReceiptRow } from './ledger-tables.ts';

/** The receipt for a worker's answer to a request; there is never more than one. */
export async function findReceipt(db: Db, worker: string, requestId: string): Promise<ReceiptRow | undefined> {
  return await db
    .selectFrom('receipts')
    .selectAll()
    .where('worker', '=', worker)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
}

/** Receipts between two nodes that counted on a UTC day (as days since 1970). */
export async function countPair(db: Db, worker: string, client: string, day: number): Promise<number> {
  const { count } = await db
    .selectFrom('receipts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('worker', '=', worker)
    .where('client', '=', client)
    .where('day', '=', day)
    .where('counted', '>', 0)
    .executeTakeFirstOrThrow();
  return count;
}

/** What a reader of the score needs of it: credits/books/own-score.ts has the rest. */
const scoreSchema = z.object({ total: z.int().min(0) });

/**
 * How many receipts and points the ledger in a file has, whether or not a node has it open, and of whatever version it is. Changes nothing.
 * @throws SQLite's error when it cannot be read
 */
export function totalsIn(file: string): { receipts: number; points: number } {
  const sqlite = new SQLite(file, { fileMustExist: true, timeout: 60_000 });
  try {
    const { receipts } = sqlite.prepare('SELECT count(*) AS receipts FROM receipts').get() as { receipts: number };
    const row = sqlite.prepare('SELECT state FROM own_score').get() as { state: string } | undefined;
    const score = scoreSchema.safeParse(row && JSON.parse(row.state));
    return { receipts, points: score.data?.total ?? 0 };
  } finally {
    sqlite.close();
  }
}

/** Remembers a receipt until the worker says that it has it. */
export async function putIntoOutbox(trx: Trx, row: OutboxRow): Promise<void> {
  await trx.insertInto('outbox').values(row).execute();
}

/** The oldest receipts that a worker has not acknowledged, at most `limit`. */
export async function listOutbox(db: Db, worker: string, limit: number): Promise<ReceiptRow[]> {
  return await db
    .selectFrom('outbox')
    .innerJoin('receipts', 'receipts.id', 'outbox.receipt_id')
    .selectAll('receipts')
    .where('outbox.worker', '=', worker)
    .orderBy('outbox.entry')
    .limit(limit)
    .execute();
}

export async function removeFromOutbox(trx: Trx, requestId: string): Promise<void> {
  await trx.deleteFrom('outbox').where('request_id', '=', requestId).execute();
}

/** Forgets receipts from before a UTC day that no worker came for: they would count for nothing any more. */
export async function pruneOutbox(trx: Trx, day: number): Promise<void> {
  await trx.deleteFrom('outbox').where('day', '<', day).execute();
}
