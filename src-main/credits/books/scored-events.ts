import type { Db } from '../../store/database.ts';
import type { Receipt } from '../receipt.ts';
import { fromRow } from './receipt-row.ts';

/** What changed this node's score: a receipt that it was paid for, or a failure of its own. */
export type ScoredEvent =
  | { seq: number; type: 'receipt'; receipt: Receipt }
  | { seq: number; type: 'failure'; requestId: string; at: number };

/** Events after entry `after`, in the order of booking. Others who score them in this order get the same total. */
export async function readScoredEvents(db: Db, after: number, limit: number): Promise<ScoredEvent[]> {
  const rows = await db
    .selectFrom('scored_events as event')
    .innerJoin('ledger_entries as entry', 'entry.seq', 'event.seq')
    .leftJoin('receipts', 'receipts.id', 'entry.receipt_id')
    .select(['entry.seq', 'entry.at', 'entry.request_id', 'body', 'worker_sig', 'client_sig'])
    .where('event.seq', '>', after)
    .orderBy('event.seq')
    .limit(limit)
    .execute();
  return rows.map(({ seq, at, request_id, body, worker_sig, client_sig }) =>
    body !== null && worker_sig !== null && client_sig !== null
      ? { seq, type: 'receipt', receipt: fromRow({ body, worker_sig, client_sig }) }
      : { seq, type: 'failure', requestId: request_id ?? '', at },
  );
}

/** The number of the event at place `count` (1 is the first); 0 for place 0, undefined when there are fewer events. */
export async function scoredEventAt(db: Db, count: number): Promise<number | undefined> {
  if (count === 0) return 0;
  const row = await db.selectFrom('scored_events').select('seq').where('place', '=', count).executeTakeFirst();
  return row?.seq;
}

/** How many events there are. */
export async function countScoredEvents(db: Db): Promise<number> {
  const last = await db.selectFrom('scored_events').select('place').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return last?.place ?? 0;
}
