import { z } from 'zod';
import { requestIdSchema } from '../../../src-preload/contract/keys.ts';
import { type Receipt, receiptSchema } from '../../credits/receipt.ts';

/** What one entry of a score log says: a receipt that the worker was paid for, or a failure of its own. */
export type ScoreEntry = { type: 'receipt'; receipt: Receipt } | { type: 'failure'; requestId: string; at: number };

/** Largest block of a score log, in bytes. An honest entry has about 1,000. */
export const MAX_ENTRY_BYTES = 16 * 1024;

const RECEIPT = 'receipt/';
const FAILURE = 'failure/';

export const failureSchema = z.strictObject({ requestId: requestIdSchema, at: z.int().min(0) });

/** Key and value of an entry in the Hyperbee. `seq` is its place in the log: 1, 2, 3 … */
export function encodeEntry(entry: ScoreEntry, seq: number): { key: string; value: unknown } {
  if (entry.type === 'receipt') return { key: RECEIPT + entry.receipt.body.requestId, value: entry.receipt };
  return { key: failureKey(seq), value: { requestId: entry.requestId, at: entry.at } };
}

/** The entry at place `seq`; undefined when it is none of ours. */
export function decodeEntry({ key, value }: { key: string; value: unknown }, seq: number): ScoreEntry | undefined {
  if (key === failureKey(seq)) {
    const failure = failureSchema.safeParse(value);
    return failure.success ? { type: 'failure', ...failure.data } : undefined;
  }
  const receipt = receiptSchema.safeParse(value);
  if (!receipt.success || key !== RECEIPT + receipt.data.body.requestId) return undefined;
  return { type: 'receipt', receipt: receipt.data };
}

/** Failures are named by their place: the same request may fail more than once. */
const failureKey = (seq: number) => FAILURE + String(seq).padStart(12, '0');
