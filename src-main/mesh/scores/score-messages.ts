import { z } from 'zod';
import { nodeIdSchema, sha256Schema } from '../../../src-preload/contract/keys.ts';
import { evidence } from '../transport/envelope.ts';

/** Largest frame body of the score network, in bytes. */
const MAX_SCORE_FRAME = 64 * 1024;

const total = z.int().min(0).max(1_000_000_000);
/** Of no entries there is nothing to claim. */
const sequence = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/**
 * A worker's own claim: its total after the first `seq` entries of its log. It is the worker's word: two claims that
 * contradict each other, or one that the log does not bear out, prove who lied.
 */
export const scoreUpdateSchema = evidence('score-update', {
  /** Always the author. */
  workerId: nodeIdSchema,
  total,
  /** Entries in the worker's log; a claim with a lower one is old. */
  seq: sequence,
  /** Root hash of the log's Merkle tree over its header and so many entries. */
  receiptsRoot: sha256Schema,
  /** Public key of the worker's Hypercore: its score log. One worker has one log for good. */
  logKey: nodeIdSchema,
});
export type ScoreUpdate = z.infer<typeof scoreUpdateSchema>;

/** Asks for claims (and what witnesses say) about one worker, or about all that the peer knows. */
const scoreRequestSchema = evidence('score-request', {
  workerId: nodeIdSchema.nullable(),
  /** Only claims made after this moment, Unix milliseconds. */
  since: z.int().min(0),
});
export type ScoreRequestMessage = z.infer<typeof scoreRequestSchema>;

/** A witness has read the worker's log and found that it bears the claim out. Signed by the witness, its author. */
export const scoreVerifySchema = evidence('score-verify', { claim: scoreUpdateSchema });
export type ScoreVerify = z.infer<typeof scoreVerifySchema>;

export const scoreMessageSchema = z.discriminatedUnion('type', [
  scoreUpdateSchema,
  scoreRequestSchema,
  scoreVerifySchema,
]);
export type ScoreMessage = z.infer<typeof scoreMessageSchema>;

/** Workers tell and check each other's totals; their score logs are replicated beside the messages. */
export const SCORES_NETWORK = {
  name: 'qmesh-scores-v2',
  schema: scoreMessageSchema,
  maxFrame: MAX_SCORE_FRAME,
  signed: true,
} as const;
