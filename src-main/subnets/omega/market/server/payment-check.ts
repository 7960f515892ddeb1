import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { refuseOtherBlocks } from '../../../../bittensor/chain/payment-rule.ts';
import type { Payment, PaymentBook, PaymentClaim, PaymentTerms } from '../../../../bittensor/chain/payments.ts';
import type { FailedLooks } from './failed-looks.ts';
import { Problem } from './problem.ts';

/** What a market asks of the chain. Everything may throw what `Chain` throws. */
export interface MarketChain {
  /** Hash of its first block. */
  genesis(): Promise<string>;
  /** Number of the newest block, which may still be undone. */
  head(): Promise<number>;
  /** Coldkey of a hotkey (ss58); undefined where the chain does not know it. */
  ownerOf(hotkey: string): Promise<string | undefined>;
  /** See `bittensor/chain/payments.ts`. */
  takePayment(book: PaymentBook, claim: PaymentClaim, terms: PaymentTerms): Promise<Payment>;
}

/** Blocks come so often, and are final some later. */
const FINAL_AFTER_MS = 24_000;
const ASK_AGAIN_MS = 15_000;

/** What a payment is looked for with. */
export interface PaymentLook {
  chain: Pick<MarketChain, 'takePayment'>;
  failed: FailedLooks;
  /** Coldkey of who says that it was paid. */
  teller: string;
}

/** The chain is asked for nothing that cannot count anyway. @throws Problem TOO_EARLY, PAYMENT, UNAVAILABLE, RATE_LIMIT */
export async function checkedPayment(
  { chain, failed, teller }: PaymentLook,
  book: PaymentBook,
  claim: PaymentClaim,
  terms: PaymentTerms,
): Promise<void> {
  await asked(async () => refuseOtherBlocks(claim, terms));
  const payment = { order: terms.order, told: `${claim.block} ${claim.extrinsic}` };
  await failed.count(teller, payment, async () => {
    await asked(() => chain.takePayment(book, claim, terms));
  });
}

/** Coldkey of the hotkey that signs. @throws Problem FORBIDDEN where the chain does not know it, UNAVAILABLE */
export async function ownerOf(chain: Pick<MarketChain, 'ownerOf'>, hotkey: string): Promise<string> {
  const owner = await asked(() => chain.ownerOf(hotkey));
  if (owner === undefined) throw new Problem('FORBIDDEN', 'The chain does not know an owner of this hotkey.');
  return owner;
}

/** What the chain says; where it says nothing, that passes. @throws Problem TOO_EARLY, PAYMENT, UNAVAILABLE */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof QuarryError) throw problemOf(error);
    throw error;
  }
}

function problemOf(error: QuarryError): Problem {
  const { code, field, message, said } = error;
  if (said?.message?.key === 'bittensor.chain.payment.notFinal') {
    return new Problem('TOO_EARLY', message, { retryAfterMs: FINAL_AFTER_MS });
  }
  if (code === 'BAD_REQUEST' && field === 'payment') return new Problem('PAYMENT', message, { field });
  const retryAfterMs = error.retryAfterMs ?? ASK_AGAIN_MS;
  return new Problem('UNAVAILABLE', `The market cannot look at the chain now: ${message}`, {
    retryAfterMs,
    cause: error,
  });
}
