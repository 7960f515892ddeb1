import { createHash } from 'node:crypto';
import { z } from 'zod';
import { nodeIdSchema, requestIdSchema, sha256Schema, signatureSchema } from '../../src-preload/contract/keys.ts';
import { taggedBytes } from '../base/signing.ts';

const count = z.int().min(0).max(10_000_000);

/** What both sides sign after a request was served. Field order does not matter: the signed bytes are RFC 8785 JSON. */
const receiptBodySchema = z.strictObject({
  v: z.literal(2),
  requestId: requestIdSchema,
  worker: nodeIdSchema,
  client: nodeIdSchema,
  // Of half a character there are no bytes to sign.
  model: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => name.isWellFormed()),
  /** SHA-256 of the canonical prompt frame body (what the client asked). */
  promptHash: sha256Schema,
  /** SHA-256 of the answer's UTF-8 text. */
  resultHash: sha256Schema,
  promptTokens: count,
  completionTokens: count,
  /** Characters of prompt and answer: the score's complexity and quality come from them. */
  promptChars: count,
  resultChars: count,
  firstTokenMs: count,
  /** Time the worker spent on the request, without its wait in the queue. */
  processingMs: count,
  /** Unix milliseconds when the answer ended. */
  servedAt: z.int().min(0),
  /** 0–10, by the formula in score/points.ts from the fields above; a receipt with another value is void. */
  points: z.int().min(0).max(10),
  /** Credits that the client pays. */
  cost: z.int().min(1).max(100_000),
});
export type ReceiptBody = z.infer<typeof receiptBodySchema>;

export const workerReceiptSchema = z.strictObject({ body: receiptBodySchema, workerSig: signatureSchema });
/** A receipt that the worker alone has signed: a bill. */
export type WorkerReceipt = z.infer<typeof workerReceiptSchema>;

export const receiptSchema = workerReceiptSchema.extend({ clientSig: signatureSchema });
/** A receipt that both sides have signed: worth points. */
export type Receipt = z.infer<typeof receiptSchema>;

/** The exact bytes that both sides sign. */
export function receiptBytes(body: ReceiptBody): Buffer {
  return taggedBytes('quarry-receipt/v2', body);
}

/** Names a receipt: SHA-256 of its signed bytes, 64 hex. */
export function receiptId(body: ReceiptBody): string {
  return createHash('sha256').update(receiptBytes(body)).digest('hex');
}
