import { RAO_PER_TAO } from './rao.ts';

/** For what a video was recorded: an own task, one that counts more, or one that the market asked for (OMEGA, B10). */
export const OFFER_KINDS = ['user', 'boosted', 'marketplace'] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];

/**
 * `uploading`: bytes are missing. `processing`: it is looked at, and waits for its score. `review`: a person of the market looks at it. `rejected`, `withdrawn`:
 * at their end, the bytes are gone. `submitted`: in the list, or waits for its place there. `purchasePending`: somebody has a lock on it. `purchased`: paid.
 */
export const OFFER_STATES = [
  'uploading',
  'processing',
  'review',
  'rejected',
  'submitted',
  'purchasePending',
  'purchased',
  'withdrawn',
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/**
 * `pending`: the video is locked for its buyer, who pays now. `paid`: it is the buyer’s. `reverted`, `expired`: the lock has ended, by the buyer or by time; who has
 * paid all the same asks for `verify` again. `owed`: it was paid too late, and somebody else has the video: the seller owes the money back, unless the video becomes free.
 * `settled`: it was paid back.
 */
export const PURCHASE_STATES = ['pending', 'paid', 'reverted', 'expired', 'owed', 'settled'] as const;
export type PurchaseState = (typeof PURCHASE_STATES)[number];

/** Rao that a video costs at least, whatever its seller wishes (OMEGA, its sheet, B13). */
export const LEAST_PRICE = RAO_PER_TAO / 1_000n;
