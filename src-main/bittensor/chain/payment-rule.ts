import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Payment, PaymentBook, PaymentClaim, PaymentTerms } from './payments.ts';

/** Money that moved, as a block tells of it. */
export interface ToldTransfer {
  /** Place among the events of the block. */
  event: number;
  /** ss58 of the accounts themselves, whoever signed the call. */
  from: string;
  to: string;
  /** Rao. */
  amount: bigint;
}

/** What a block tells of a call: a batch moves money more than once, and a proxy that of somebody else. */
export interface ToldCall {
  succeeded: boolean;
  transfers: readonly ToldTransfer[];
}

/** A chain, as far as the rule asks. */
export interface PaymentView {
  /** Hash of its first block. */
  genesis: string;
  /** Number of the newest block that nothing undoes. */
  finalised: number;
  /** Looks into a final block. The call is undefined where the block has none with this hash. */
  look(claim: PaymentClaim): Promise<{ hash: string; call: ToldCall | undefined }>;
}

/**
 * Whether a payment in that block could count, whatever is in it: that needs no look at the chain.
 * @throws BAD_REQUEST with the field `payment`
 */
export function refuseOtherBlocks({ block }: PaymentClaim, { since, until }: PaymentTerms): void {
  if (block <= since) throw unpaid(say('bittensor.chain.payment.tooOld'));
  if (until !== undefined && block > until) throw unpaid(say('bittensor.chain.payment.tooLate'));
}

/**
 * The rule of what counts as a payment; every chain that takes one goes by it. The first transfer that fits and was not used is used up by that; the same order may ask again.
 *
 * @param now Unix milliseconds
 * @throws BAD_REQUEST with the field `payment` and why for one that does not count; what the view throws
 */
export async function countPayment(
  { genesis, finalised, look }: PaymentView,
  book: PaymentBook,
  claim: PaymentClaim,
  terms: PaymentTerms,
  now: () => number,
): Promise<Payment> {
  const { order } = terms;
  refuseOtherBlocks(claim, terms);
  if (claim.block > finalised) throw unpaid(say('bittensor.chain.payment.notFinal'));
  const { hash, call } = await look(claim);
  if (!call) throw unpaid(say('bittensor.chain.payment.unknown'));
  if (!call.succeeded) throw unpaid(say('bittensor.chain.payment.failed'));
  const fitting = call.transfers.filter((transfer) => fits(transfer, terms));
  if (fitting.length === 0) throw unpaid(say('bittensor.chain.payment.other'));
  for (const { event, amount } of fitting) {
    const used = { chain: genesis, block: hash, event, order, usedAt: now() };
    if (await book.use(used)) return { block: { number: claim.block, hash }, event, amount };
  }
  throw unpaid(say('bittensor.chain.payment.used'));
}

function fits(transfer: ToldTransfer, { from, to, atLeast, atMost }: PaymentTerms): boolean {
  const isEnough = transfer.amount >= atLeast && (atMost === undefined || transfer.amount <= atMost);
  return isEnough && transfer.from === from && transfer.to === to;
}

function unpaid(why: Saying): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: why, field: 'payment' });
}
