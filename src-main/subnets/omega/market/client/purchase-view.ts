import { QuarryError, type QuarryErrorData } from '../../../../../src-preload/contract/errors.ts';
import type { OwnPurchase } from '../../../../../src-preload/contract/trade.ts';
import { errorView } from '../../../../base/error-view.ts';
import type { PurchaseRow } from '../../../../store/market-orders.ts';

/** A purchase as the contract tells of it. @param received bytes of its video that are here */
export function purchaseView(row: PurchaseRow, received: number): OwnPurchase {
  const { id, video, title, state, url, wallet, hotkey, price, bytes, sha256, file, call, call_hash: hash } = row;
  return {
    ...{ id, video, title, state, url, wallet, hotkey, price, bytes, sha256, file },
    from: row.pays_from,
    to: row.pays_to,
    received: state === 'fetched' ? (bytes ?? 0) : received,
    lockedUntil: row.locked_until,
    keptUntil: row.kept_until,
    call: call === null || hash === null ? null : { id: call, hash, block: row.block },
    error: keptError(row.error),
    createdAt: row.created_at,
  };
}

export const keptError = (json: string | null) =>
  json === null ? null : errorView(new QuarryError(JSON.parse(json) as QuarryErrorData));

/** To be kept beside what it stopped. */
export const errorText = (error: unknown): string => JSON.stringify(QuarryError.from(error).toJSON());
