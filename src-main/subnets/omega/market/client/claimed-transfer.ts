import type { PaymentBook, PaymentClaim, PaymentTerms } from '../../../../bittensor/chain/payments.ts';
import type { ClaimedTransfer } from './ports.ts';

/** Whoever only looks uses nothing up. */
const NO_BOOK: PaymentBook = { use: async () => true };

/**
 * Looks for a transfer of exactly this amount.
 * @param takePayment of the chain: its rule of what counts is the one that is asked
 * @throws BAD_REQUEST with the field `payment` where it is not there; what the chain throws
 */
export async function arrived(
  takePayment: (book: PaymentBook, claim: PaymentClaim, terms: PaymentTerms) => Promise<unknown>,
  { from, to, amount, block, extrinsic, after: since }: ClaimedTransfer,
): Promise<void> {
  const exactly = BigInt(amount);
  await takePayment(NO_BOOK, { block, extrinsic }, { order: '', from, to, atLeast: exactly, atMost: exactly, since });
}
