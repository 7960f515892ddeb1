import type { OfferStep, PurchaseStep } from '../../../../src-preload/contract/trade.ts';
import type { State } from '../../../components/state.ts';

/** How the states of purchases and offers look. */
export const PURCHASE_LOOKS: Record<PurchaseStep, State> = {
  locking: 'wait',
  locked: 'pause',
  paying: 'wait',
  paid: 'wait',
  bought: 'wait',
  fetched: 'good',
  owed: 'pause',
  settled: 'idle',
  refused: 'error',
  reverted: 'idle',
  expired: 'idle',
};

export const OFFER_LOOKS: Record<OfferStep, State> = {
  prepared: 'pause',
  sending: 'wait',
  uploading: 'wait',
  processing: 'wait',
  review: 'wait',
  rejected: 'error',
  submitted: 'good',
  purchasePending: 'wait',
  purchased: 'good',
  withdrawn: 'idle',
};
