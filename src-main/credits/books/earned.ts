import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { appendEntry } from '../../store/credits/ledger.ts';
import { dropOpenPledge, placeOf } from '../../store/credits/pledges.ts';
import { findReceipt } from '../../store/credits/receipts.ts';
import type { Trx } from '../../store/writer.ts';
import type { Booking } from '../credits.ts';
import { type Receipt, receiptId, receiptSchema } from '../receipt.ts';
import type { ScoreStep } from '../score/score.ts';
import type { BookOptions } from './book-options.ts';
import { earnKey } from './entry-keys.ts';
import { bookAchievement, saveScore, scoreNext } from './own-score.ts';
import { idTaken } from './parts.ts';
import { scorePostings, servedPostings } from './postings.ts';
import { CLOCK_SKEW_MS, receiptFault } from './receipt-check.ts';
import { toRow } from './receipt-row.ts';

/** What a receipt is booked at. */
export interface Price {
  /** Credits that are drawn, or given. */
  charged: number;
  /** Credits that the client has signed for by it, beyond what it had paid as a part. */
  signed: number;
  byClaim: boolean;
  /** The client is no stranger: this node owes it for what it served, or it is a friend. */
  earned: boolean;
}

/** @throws BAD_REQUEST when a receipt is void, or another worker's */
export function checkReceipt(
  receipt: Receipt,
  { identity, verify, now }: Pick<BookOptions, 'identity' | 'verify' | 'now'>,
): void {
  const shape = receiptSchema.safeParse(receipt);
  if (!shape.success) throw voidReceipt(say('receipt.malformed'));
  if (receipt.body.worker !== identity.id) throw voidReceipt(say('receipt.otherWorker'));
  if (receipt.body.servedAt > now() + CLOCK_SKEW_MS) throw voidReceipt(say('receipt.future'), 'receipt.servedAt');
  const fault = receiptFault(receipt, verify);
  if (fault) throw voidReceipt(fault);
}

/**
 * Books a receipt of this worker, which was checked, and what it earns: once, whatever how often it comes.
 * @throws BAD_REQUEST when its id was used by another
 */
export async function bookReceipt(trx: Trx, receipt: Receipt, price: Price, now: () => number): Promise<Booking> {
  const { body } = receipt;
  const earlier = await findReceipt(trx, body.worker, body.requestId);
  if (earlier && earlier.id !== receiptId(body)) throw idTaken();
  if (earlier) return { points: earlier.counted, achievements: [], earned: false, repeated: true };
  const step = await scoreNext(trx, body);
  await appendEarned(trx, receipt, step, price, now());
  await dropOpenPledge(trx, placeOf('worker', body.client, body.requestId));
  for (const achievement of step.achievements) await bookAchievement(trx, achievement, step.state, now());
  await saveScore(trx, step.state);
  const achievements = step.achievements.map(({ id }) => id);
  return { points: step.counted, achievements, earned: price.earned, repeated: false };
}

async function appendEarned(trx: Trx, receipt: Receipt, step: ScoreStep, price: Price, at: number): Promise<void> {
  const { client, requestId } = receipt.body;
  const { charged, signed, byClaim } = price;
  const row = toRow(receipt, 'worker', { counted: step.counted, reason: step.reason ?? null, charged });
  await trx.insertInto('receipts').values(row).execute();
  await appendEntry(trx, {
    at,
    kind: 'earn',
    key: earnKey(row.id),
    requestId,
    receiptId: row.id,
    memo: step.reason ?? '',
    postings: { ...servedPostings(client, charged, byClaim, signed), ...scorePostings(step.counted) },
  });
}

function voidReceipt(why: Saying, field = 'receipt'): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('credits.void', { why }), field });
}
