import type { MarketReview } from '../../../../../src-preload/contract/market.ts';
import type { BuyerRow, Offer, Purchase } from '../../../../store/market/market-rows.ts';
import { nextOf } from '../rules/states.ts';
import type { MarketTerms } from '../rules/terms.ts';
import type { OfferView, PurchaseView } from '../wire.ts';
import { proofOf } from './proof.ts';

/** @param owed what the seller owes for it */
export function offerView(offer: Offer, owed: readonly Purchase[]): OfferView {
  const { id, state, title, kind, seller, sha256, bytes, durationMs, nextByte, score, price, reason } = offer;
  const { createdAt, changedAt } = offer;
  return {
    ...{ id, state, title, kind, seller, sha256, bytes, durationMs, nextByte, score, reason, createdAt, changedAt },
    price: price === null ? null : String(price),
    owed: owed.flatMap(({ id: purchase, buyer: to, price: amount, payment }) =>
      payment
        ? [{ purchase, to, amount: String(amount), paidIn: { block: payment.block, extrinsic: payment.extrinsic } }]
        : [],
    ),
  };
}

export function purchaseView(
  purchase: Purchase,
  offer: Offer,
  { buyer, terms, keepMs }: { buyer: BuyerRow; terms: MarketTerms; keepMs: number },
): PurchaseView {
  const {
    id,
    state,
    price,
    buyer: from,
    seller: to,
    afterBlock,
    untilBlock,
    createdAt,
    lockedUntil,
    payment,
    paidBack,
  } = purchase;
  const isThere = state === 'paid' && offer.nextByte > 0;
  return {
    ...{ id, state, video: offer.id, title: offer.title, sha256: offer.sha256, bytes: offer.bytes },
    ...{ price: String(price), from, to, afterBlock, untilBlock, createdAt, lockedUntil, payment, paidBack },
    next: state === 'paid' && !isThere ? 'nothing' : nextOf(state),
    keptUntil: isThere && offer.soldAt !== null ? offer.soldAt + keepMs : null,
    failures: { inARow: buyer.failures, ban: terms.failures },
  };
}

/** @param file on this computer */
export function reviewView(offer: Offer, file: string): MarketReview {
  const { id, title, description, kind, seller, score, reason, durationMs, bytes, changedAt: since } = offer;
  const { scored, ownScore: sellerScore, appeal = null, alike, multiplier, scoreCard } = proofOf(offer);
  return {
    ...{ id, title, description, kind, multiplier, seller, sellerScore, appeal, durationMs, bytes, since, file },
    score: score ?? 0,
    marketScore: scored?.score ?? score ?? 0,
    rulesScore: scoreCard.score,
    reason: [alike, scored?.reason ?? reason].filter(Boolean).join(' '),
  };
}
