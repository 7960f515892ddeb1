import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { faultText, valueFault } from '../../base/value-fault.ts';

/** PostgreSQL takes no zero in a text, and neither takes half a character: what one refuses, both must. */
const text = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), faultText('value.storable'));

/** Bytes of UTF-8: what is sent and stored, whatever the text is written in. */
const MOST_PAYLOAD = 256 * 1024;
/** Far from where a sum or a mean leaves the numbers: PostgreSQL ends over that, for every miner at once. */
export const MOST_SCORE = 1_000_000;
/** The last moment that a Date can name, in Unix milliseconds. */
const LAST_MOMENT = 8_640_000_000_000_000;

/** What a validator found out about one answer of a miner, and signed. */
const signedResultSchema = z.strictObject({
  /** What was asked for: `sat`, `ded`. */
  environment: text(1, 128),
  environmentVersion: text(0, 32),
  challengeId: text(1, 128),
  /** The miner’s key, and what it said that it runs. */
  miner: text(1, 128),
  model: text(0, 512),
  revision: text(0, 128),
  /** For sums and means; the exact figure, as it was signed, is in the payload. */
  score: z.number().min(-MOST_SCORE).max(MOST_SCORE),
  success: z.boolean(),
  latencyMs: z.int().min(0),
  /** Unix milliseconds. */
  createdAt: z.int().min(0).max(LAST_MOMENT),
  level: text(0, 64),
  /** Out of which the challenge came. */
  seed: text(0, 128),
  /** The miner’s number on its subnet, and the block of what it committed to then, or else of its registration; null for those that are on none. */
  uid: z.int().min(0).max(65_535).nullable(),
  block: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** How often it was asked. */
  attempts: z.int().min(0).max(1_000),
  /** Why no answer came. */
  error: text(0, 2_000).nullable(),
  /** The validator’s key. */
  signer: text(1, 128),
  signature: text(1, 256),
  /** SHA-256 of the payload, 64 hex: what was signed. */
  payloadSha256: sha256Schema,
  /** All that was signed, as JSON. */
  payload: text(2, MOST_PAYLOAD).refine(
    (value) => Buffer.byteLength(value) <= MOST_PAYLOAD,
    `has more than ${MOST_PAYLOAD} bytes`,
  ),
});

export type SignedResult = z.infer<typeof signedResultSchema>;

/** Whether the signature is genuine is for the validation to say: here only size and shape are looked at. @throws BAD_REQUEST */
export function checkResult(result: SignedResult): SignedResult {
  const { data, error } = signedResultSchema.safeParse(result);
  if (data) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('results.notStored', { field, why: issue ? valueFault(issue) : '' }),
    field,
  });
}

/**
 * Moments and places that are asked for: SQLite would compare whatever it is given, PostgreSQL would end over it.
 * @throws BAD_REQUEST when the value is no whole number from 0 to `most`
 */
export function checkWhole(field: string, value: unknown, most = LAST_MOMENT): void {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most) return;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('results.notWhole', { field, most }), field });
}
