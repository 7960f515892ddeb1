import { costOf, pointsFor } from './points.ts';
import { type Receipt, receiptBytes, type WorkerReceipt } from './receipt.ts';

/** Whether `signature` (128 hex) of `bytes` was made by the node `id` (64 hex). Never throws. */
export type Verify = (id: string, bytes: Uint8Array, signature: string) => boolean;

/**
 * Why an offer is void, as a clause; undefined when it is sound. Its shape has been checked before (workerReceiptSchema):
 * this is about its meaning and the worker's signature.
 */
export function offerFault({ body, workerSig }: WorkerReceipt, verify: Verify): string | undefined {
  if (body.worker === body.client) return 'worker and client are the same node';
  if (body.points !== pointsFor(body)) return 'the points are not what the formula gives';
  if (body.cost !== costOf(body.completionTokens)) return 'the cost is not what the formula gives';
  if (body.firstTokenMs > body.processingMs) return 'the first token came after the end';
  if (!verify(body.worker, receiptBytes(body), workerSig)) return 'the worker’s signature is wrong';
  return undefined;
}

/** Why a receipt is void, as a clause; undefined when it is sound. */
export function receiptFault(receipt: Receipt, verify: Verify): string | undefined {
  const fault = offerFault(receipt, verify);
  if (fault) return fault;
  const signed = verify(receipt.body.client, receiptBytes(receipt.body), receipt.clientSig);
  return signed ? undefined : 'the client’s signature is wrong';
}
