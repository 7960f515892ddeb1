import type { OwnPurchase } from '../../../../../../src-preload/contract/trade.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import { keptError } from '../kept-error.ts';

/** A purchase as the contract tells of it. @param received bytes of its video that are here */
export function purchaseView(row: PurchaseRow, received: number): OwnPurchase {
  const { id, video, title, state, url, wallet, hotkey, price, bytes, sha256, file, call, call_hash: hash } = row;
  return {
    ...{ id, video, title, state, url, wallet, hotkey, price, bytes, sha256, file },
    from: row.pays_from,
    to: row.order_id === null ? null : row.pays_to,
    received: state === 'fetched' ? (bytes ?? 0) : received,
    lockedUntil: row.locked_until,
    keptUntil: row.kept_until,
    call: call === null || hash === null ? null : { id: call, hash, block: row.block },
    error: keptError(row.error),
    createdAt: row.created_at,
  };
}
