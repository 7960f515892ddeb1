import type { ReceiptRow, Side } from '../../store/credits/ledger-tables.ts';
import { type Receipt, type ReceiptBody, receiptId } from '../receipt.ts';
import { dayOf } from '../score/score.ts';

/** A receipt as the database keeps it, with what came of it here. */
export function toRow(
  { body, workerSig, clientSig }: Receipt,
  side: Side,
  outcome: Pick<ReceiptRow, 'counted' | 'reason' | 'charged'>,
): ReceiptRow {
  return {
    id: receiptId(body),
    role: side,
    request_id: body.requestId,
    worker: body.worker,
    client: body.client,
    day: dayOf(body.servedAt),
    ...outcome,
    body: JSON.stringify(body),
    worker_sig: workerSig,
    client_sig: clientSig,
  };
}

/** The receipt that a row holds, as it was signed. */
export function fromRow(row: Pick<ReceiptRow, 'body' | 'worker_sig' | 'client_sig'>): Receipt {
  return { body: JSON.parse(row.body) as ReceiptBody, workerSig: row.worker_sig, clientSig: row.client_sig };
}
