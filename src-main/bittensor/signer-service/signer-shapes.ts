import { z } from 'zod';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { MAX_UIDS } from '../chain/shapes.ts';
import { U16_MAX } from '../chain/weights.ts';

/** Texts that are signed at once, and UTF-16 units of each: an answer of a miner has 60,000, each of which JSON may write as two. */
export const MOST_PAYLOADS = 64;
const MOST_PAYLOAD = 256 << 10;

/** `POST /sign`. */
export const signRequest = z.strictObject({
  payloads: z.array(z.string().max(MOST_PAYLOAD)).min(1).max(MOST_PAYLOADS),
});

const uid = z.int().min(0).max(U16_MAX);

/** `POST /set_weights`: nothing is trimmed, wrapped or left out of it. */
export const setWeightsRequest = z
  .strictObject({
    netuid: z.int().min(0).max(U16_MAX),
    uids: z.array(uid).min(1).max(MAX_UIDS),
    /** Beside `uids`, in any scale. */
    weights: z.array(z.number().min(0)).min(1).max(MAX_UIDS),
    wait_for_inclusion: z.boolean().default(false),
    /** Of the program that judges. Default: the least that the subnet takes. */
    version_key: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional(),
  })
  .refine(({ uids, weights }) => uids.length === weights.length, {
    path: ['weights'],
    error: 'must be as many as uids',
  })
  .refine(({ uids }) => new Set(uids).size === uids.length, { path: ['uids'], error: 'must have each uid once' })
  .refine(({ weights }) => weights.some((weight) => weight > 0), { path: ['weights'], error: 'must have one above 0' });

const text = z.string().max(1_000);

/** What the client reads of answers. */
export const pubkeyAnswer = z.object({ hotkey: z.string().max(64) });
export const signAnswer = z.object({
  success: z.literal(true),
  /** Each 128 hexadecimal digits. */
  signatures: z.array(z.string().regex(hexPattern(64))).max(MOST_PAYLOADS),
  hotkey: z.string().max(64),
});
export const setWeightsAnswer = z.object({
  success: z.literal(true),
  // The original says nothing but that.
  pending: z.boolean().default(true),
  block: z.number().nullable().default(null),
  hash: z.string().max(66).nullable().default(null),
  warnings: z.array(text).max(16).default([]),
});
export const failureAnswer = z.object({ error: text, code: z.string().max(40).optional() });
