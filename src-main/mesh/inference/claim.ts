import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { nodeIdSchema, requestIdSchema, sha256Schema, signatureSchema } from '../../../src-preload/contract/keys.ts';
import { sha256 } from '../../base/sha256.ts';
import { taggedBytes } from '../../base/signing.ts';
import { EVIDENCE_TOP, type TokenEvidence } from '../../inference/evidence.ts';
import { MAX_VERIFIED_TOKENS } from '../../inference/request-schema.ts';
import { type Identity, verify } from '../transport/identity.ts';

/** Tokens of evidence in one message: some 60 KB. */
export const EVIDENCE_PIECE = 256;
/** The answer's own, and the one that ended it. */
export const MAX_EVIDENCE = MAX_VERIFIED_TOKENS + 1;

/** Log-probabilities cross the mesh as whole thousandths of a nat: what differs by less is rounding everywhere. */
const PER_NAT = 1_000;
const LEAST = -10_000 * PER_NAT;
const token = z.int().min(0).max(0xffff_ffff);
const thousandths = z.int().min(LEAST).max(0);

/** A token that was chosen, its log-probability, and the likeliest with theirs, best first. */
export const toldTokenSchema = z.tuple([token, thousandths, boundedArray(z.tuple([token, thousandths]), EVIDENCE_TOP)]);
export type ToldToken = z.infer<typeof toldTokenSchema>;

const claimBodySchema = z.strictObject({
  requestId: requestIdSchema,
  worker: nodeIdSchema,
  client: nodeIdSchema,
  /** As in the receipt. */
  promptHash: sha256Schema,
  resultHash: sha256Schema,
  /** SHA-256 of the model's file. */
  model: sha256Schema,
  /** {@link evidenceHash} of what came with the answer. */
  evidenceHash: sha256Schema,
});
export type ClaimBody = z.infer<typeof claimBodySchema>;

/** What a worker signs of how an answer came about: with which file, by which choices. */
export const claimSchema = z.strictObject({ body: claimBodySchema, sig: signatureSchema });
export type Claim = z.infer<typeof claimSchema>;

const claimBytes = (body: ClaimBody) => taggedBytes('quarry-claim/v1', body);

export function signClaim(body: ClaimBody, identity: Identity): Claim {
  return { body, sig: identity.sign(claimBytes(body)) };
}

/** Whether its worker has signed it, and all of it is what it should be about. Never throws. @param tokens that came with the answer */
export function isClaimOf(
  { body, sig }: Claim,
  about: Omit<ClaimBody, 'model' | 'evidenceHash'>,
  tokens: readonly ToldToken[],
): boolean {
  const wanted = { ...about, model: body.model, evidenceHash: evidenceHash(tokens) };
  return isDeepStrictEqual(body, wanted) && verify(body.worker, claimBytes(body), sig);
}

/** SHA-256 of all tokens of an answer, 64 hex. */
export function evidenceHash(tokens: readonly ToldToken[]): string {
  return sha256(taggedBytes('quarry-evidence/v1', tokens)).toString('hex');
}

export function toldTokens(evidence: readonly TokenEvidence[]): ToldToken[] {
  return evidence.map(({ id, logprob, top }) => [id, rounded(logprob), top.map(([id, each]) => [id, rounded(each)])]);
}

export function evidenceOf(tokens: readonly ToldToken[]): TokenEvidence[] {
  const nats = (value: number) => value / PER_NAT;
  return tokens.map(([id, logprob, top]) => ({
    id,
    logprob: nats(logprob),
    top: top.map(([id, each]) => [id, nats(each)]),
  }));
}

// −0 has no place in JSON.
const rounded = (logprob: number) => Math.min(0, Math.max(LEAST, Math.round(logprob * PER_NAT))) || 0;
