import type { OfferState, PurchaseState } from '../../../../../src-preload/contract/market-names.ts';

/** What may become of an offer (OMEGA, its sheet, B12, from the upload on). */
const OFFERS: Record<OfferState, readonly OfferState[]> = {
  uploading: ['processing', 'withdrawn'],
  processing: ['uploading', 'review', 'submitted', 'rejected', 'withdrawn'],
  review: ['submitted', 'rejected', 'withdrawn'],
  // A person looks at it, where its seller appeals; or its seller wants it gone.
  rejected: ['review', 'withdrawn'],
  // Straight to its end where somebody has paid for it too late, and it is free.
  submitted: ['purchasePending', 'purchased', 'withdrawn'],
  purchasePending: ['submitted', 'purchased'],
  purchased: [],
  withdrawn: [],
};

export function offerMayBecome(from: OfferState, to: OfferState): boolean {
  return OFFERS[from].includes(to);
}

/**
 * What a payment makes of its purchase: it counts whenever it is told, as long as nobody else has the video or is about to pay for it. Else the seller owes it back.
 * @param free whether the video could be bought now
 */
export function onPaid(state: PurchaseState, free: boolean): PurchaseState {
  if (state === 'pending') return 'paid';
  if (state === 'reverted' || state === 'expired') return free ? 'paid' : 'owed';
  return state;
}

/** What a buyer does next: see the wire. */
export function nextOf(state: PurchaseState): 'verify' | 'fetch' | 'wait' | 'nothing' {
  if (state === 'paid') return 'fetch';
  if (state === 'owed') return 'wait';
  return state === 'settled' ? 'nothing' : 'verify';
}
