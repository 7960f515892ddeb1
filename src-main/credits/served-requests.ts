import type { ServedRequest } from '../../src-preload/contract/credits.ts';
import type { Db } from '../store/database.ts';
import type { ReceiptBody } from './receipt.ts';

/** What this node served and was paid for last, newest first. Receipts have no text of prompt or answer, only hashes. */
export async function listServed(db: Db, limit: number): Promise<ServedRequest[]> {
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
  return rows.map(({ body, counted }) => servedRequest(JSON.parse(body) as ReceiptBody, counted));
}

function servedRequest(body: ReceiptBody, points: number): ServedRequest {
  const { requestId, servedAt: at, client, model, promptTokens, completionTokens, processingMs } = body;
  return { requestId, at, client, model, promptTokens, completionTokens, processingMs, points };
}
