import type { Db } from './database.ts';
import type { OutboxRow, ReceiptRow } from './ledger-tables.ts';
import type { Trx } from './writer.ts';

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
