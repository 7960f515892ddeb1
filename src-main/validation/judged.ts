import { storable } from './answer-text.ts';
import type { Answerer, Judged } from './result.ts';

/** What a result is of. */
export type Posed = Pick<Judged, 'environment' | 'environmentVersion' | 'level' | 'seed' | 'challengeId'>;

/** Whoever was asked, in its own words. */
export interface Asked extends Answerer {
  /** Its number on its subnet, and the block since which it is there; null for who is on none. */
  uid: number | null;
  block: number | null;
}

export type Outcome = Pick<
  Judged,
  'answer' | 'score' | 'accuracy' | 'keeps' | 'reason' | 'error' | 'attempts' | 'latencyMs' | 'firstByteMs'
>;

/** Of what a stranger says of itself, UTF-16 units: a name that no database takes would be no result, and who says such things has none that is bad. */
const MOST_ID = 128;
export const MOST_MODEL = 256;
const MOST_REVISION = 64;
const MOST_ERROR = 500;

/**
 * What is signed of an answer, so that every database takes it. Without an answer there is the error alone: a reason would say the same, in the words of
 * whoever failed. @param at Unix milliseconds
 */
export function judgedOf(posed: Posed, asked: Asked, { error, reason, ...outcome }: Outcome, at: number): Judged {
  return {
    ...posed,
    ...outcome,
    miner: storable(asked.miner, MOST_ID),
    model: storable(asked.model, MOST_MODEL),
    revision: storable(asked.revision, MOST_REVISION),
    uid: asked.uid,
    block: asked.block,
    reason: outcome.answer === null ? null : reason,
    success: outcome.answer !== null,
    error: error === null ? null : storable(error, MOST_ERROR),
    createdAt: at,
  };
}
