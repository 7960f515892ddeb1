import type { Updateable } from 'kysely';
import type { OfferKind, OfferState, PurchaseState } from '../../../src-preload/contract/market-names.ts';
import type { OfferRow, PurchaseRow } from './market-tables.ts';

/** A video that is offered. Times are Unix milliseconds, amounts rao. */
export interface Offer {
  id: string;
  hotkey: string;
  seller: string;
  title: string;
  description: string;
  kind: OfferKind;
  /** Rao; null for the market's price. */
  wish: bigint | null;
  sha256: string;
  bytes: number;
  durationMs: number;
  /** JSON. */
  proof: string;
  state: OfferState;
  nextByte: number;
  score: number | null;
  price: bigint | null;
  reason: string | null;
  createdAt: number;
  changedAt: number;
  listedAt: number | null;
  soldAt: number | null;
}

/** A lock on an offer, and what came of it. */
export interface Purchase {
  id: string;
  offer: string;
  hotkey: string;
  buyer: string;
  seller: string;
  price: bigint;
  state: PurchaseState;
  createdAt: number;
  lockedUntil: number;
  failedAt: number | null;
  afterBlock: number;
  untilBlock: number;
  payment: { block: number; extrinsic: string; at: number } | null;
  /** The transfer back of one that came too late. */
  paidBack: { block: number; extrinsic: string } | null;
}

/** What is remembered of a buyer. */
export interface BuyerRow {
  failures: number;
  bannedUntil: number | null;
}

export function offerOf(row: OfferRow): Offer {
  const { id, hotkey, seller, title, description, kind, sha256, bytes, proof, state, score, reason } = row;
  return {
    ...{ id, hotkey, seller, title, description, kind, sha256, bytes, proof, state, score, reason },
    wish: row.wish === null ? null : BigInt(row.wish),
    price: row.price === null ? null : BigInt(row.price),
    durationMs: row.duration_ms,
    nextByte: row.next_byte,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    listedAt: row.listed_at,
    soldAt: row.sold_at,
  };
}

/** Of a part of an offer, that part. */
export function offerRow(offer: Offer): OfferRow;
export function offerRow(offer: Partial<Offer>): Updateable<OfferRow>;
export function offerRow(offer: Partial<Offer>): Updateable<OfferRow> {
  const { wish, price, durationMs, nextByte, createdAt, changedAt, listedAt, soldAt, ...same } = offer;
  const text = (rao: bigint | null | undefined) => rao?.toString() ?? (rao === undefined ? undefined : null);
  return {
    ...same,
    wish: text(wish),
    price: text(price),
    duration_ms: durationMs,
    next_byte: nextByte,
    created_at: createdAt,
    changed_at: changedAt,
    listed_at: listedAt,
    sold_at: soldAt,
  };
}

export function purchaseOf(row: PurchaseRow): Purchase {
  const { id, offer, hotkey, buyer, seller, state } = row;
  const { paid_block: block, paid_extrinsic: extrinsic, paid_at: at, back_block, back_extrinsic } = row;
  return {
    ...{ id, offer, hotkey, buyer, seller, state },
    price: BigInt(row.price),
    createdAt: row.created_at,
    lockedUntil: row.locked_until,
    failedAt: row.failed_at,
    afterBlock: row.after_block,
    untilBlock: row.until_block,
    payment: block === null || extrinsic === null || at === null ? null : { block, extrinsic, at },
    paidBack: back_block === null || back_extrinsic === null ? null : { block: back_block, extrinsic: back_extrinsic },
  };
}

export function purchaseRow(purchase: Purchase): PurchaseRow {
  const { price, createdAt, lockedUntil, failedAt, afterBlock, untilBlock, payment, paidBack, ...same } = purchase;
  return {
    ...same,
    price: String(price),
    created_at: createdAt,
    locked_until: lockedUntil,
    failed_at: failedAt,
    after_block: afterBlock,
    until_block: untilBlock,
    paid_block: payment?.block ?? null,
    paid_extrinsic: payment?.extrinsic ?? null,
    paid_at: payment?.at ?? null,
    back_block: paidBack?.block ?? null,
    back_extrinsic: paidBack?.extrinsic ?? null,
  };
}
