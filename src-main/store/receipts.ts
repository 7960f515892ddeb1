import type { Db } from './database.ts';
import type { ReceiptRow } from './ledger-tables.ts';
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
export async function putIntoOutbox(
  trx: Trx,
  receipt: Pick<ReceiptRow, 'id' | 'request_id' | 'worker'>,
): Promise<void> {
  await trx
    .insertInto('outbox')
    .values({ request_id: receipt.request_id, worker: receipt.worker, receipt_id: receipt.id })
    .execute();
}

/** The oldest receipts that a worker has not acknowledged, at most `limit`. */
export async function listOutbox(db: Db, worker: string, limit: number): Promise<ReceiptRow[]> {
  return await db
    .selectFrom('outbox')
    .innerJoin('receipts', 'receipts.id', 'outbox.receipt_id')
    .innerJoin('ledger_entries', 'ledger_entries.receipt_id', 'receipts.id')
    .selectAll('receipts')
    .where('outbox.worker', '=', worker)
    .orderBy('ledger_entries.seq')
    .limit(limit)
    .execute();
}

export async function removeFromOutbox(trx: Trx, requestId: string): Promise<void> {
  await trx.deleteFrom('outbox').where('request_id', '=', requestId).execute();
}

/** Forgets receipts from before a UTC day that no worker came for: they would count for nothing any more. */
export async function pruneOutbox(trx: Trx, day: number): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('receipts').select('id').whereRef('receipts.id', '=', 'outbox.receipt_id').where('day', '<', day),
      ),
    )
    .execute();
}
