import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { Verify } from '../../base/signing.ts';
import type { Observed } from '../credits.ts';
import { costOf } from '../price.ts';
import { type Receipt, type ReceiptBody, receiptBytes, type WorkerReceipt } from '../receipt.ts';
import { pointsFor } from '../score/points.ts';

/**
 * Why a bill is void, as a clause; undefined when it is sound. Its shape has been checked before (workerReceiptSchema):
 * this is about its meaning and the worker's signature.
 *
 * @param bytes what is signed, where that was worked out before
 */
export function billFault(
  { body, workerSig }: WorkerReceipt,
  verify: Verify,
  bytes = receiptBytes(body),
): Saying | undefined {
  if (body.worker === body.client) return say('receipt.sameNode');
  if (body.points !== pointsFor(body)) return say('receipt.points');
  if (body.cost !== costOf(body)) return say('receipt.cost');
  if (body.firstTokenMs > body.processingMs) return say('receipt.firstToken');
  if (!verify(body.worker, bytes, workerSig)) return say('receipt.workerSignature');
  return undefined;
}

/** Why a receipt is void, as a clause; undefined when it is sound. */
export function receiptFault(receipt: Receipt, verify: Verify): Saying | undefined {
  const bytes = receiptBytes(receipt.body);
  const fault = billFault(receipt, verify, bytes);
  if (fault) return fault;
  const signed = verify(receipt.body.client, bytes, receipt.clientSig);
  return signed ? undefined : say('receipt.clientSignature');
}

/** Clocks of two nodes may differ by this much, in milliseconds. */
export const CLOCK_SKEW_MS = 600_000;
/** What a stalling network may add to what the client measures: a fixed part, and a share. Refusing costs honest work. */
const NETWORK_MS = 1_000;
const NETWORK_SHARE = 0.25;

/**
 * Why a client refuses a bill, as a clause; undefined when it matches what the client saw.
 *
 * The worker's own time cannot be measured from outside: the client does not see when its request left the queue. What it
 * does see is how long the answer streamed. A worker that claims less than that time is making itself faster than it was.
 */
export function mismatch(body: ReceiptBody, seen: Observed, client: string, now: number): Saying | undefined {
  if (body.client !== client || body.worker !== seen.worker) return say('receipt.otherNodes');
  if (body.requestId !== seen.requestId) return say('receipt.otherRequest');
  if (body.promptHash !== seen.promptHash || body.promptChars !== seen.promptChars) return say('receipt.otherPrompt');
  if (body.resultHash !== seen.resultHash || body.resultChars !== seen.resultChars) return say('receipt.otherAnswer');
  if (body.completionTokens !== seen.completionTokens) return say('receipt.otherTokens');
  if (body.processingMs < leastPlausibleMs(seen)) return say('receipt.lessTime');
  if (body.processingMs > seen.elapsedMs + NETWORK_MS) return say('receipt.moreTime');
  if (Math.abs(body.servedAt - now) > CLOCK_SKEW_MS) return say('receipt.clock');
  return undefined;
}

/** The least processing time, in milliseconds, that a worker may claim for an answer that streamed so long. */
function leastPlausibleMs({ streamMs }: Pick<Observed, 'streamMs'>): number {
  return streamMs * (1 - NETWORK_SHARE) - NETWORK_MS;
}
