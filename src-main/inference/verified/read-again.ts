import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateInput } from '../../../src-preload/contract/request.ts';
import type { GenerateOptions, InferenceBackend, ScoreResult, TokenProbability } from '../backend.ts';
import { EVIDENCE_TOP, type TokenEvidence } from '../evidence.ts';
import { ALL_OTHERWISE, type AuditSums, auditTokens } from './audit.ts';
import { candidatesWanted, type VerifiedSampling } from './choice.ts';

/** An answer as it was asked for and as somebody says it came about. */
export interface ToldAnswer {
  input: GenerateInput;
  sampling: VerifiedSampling;
  evidence: readonly TokenEvidence[];
  /** When it was asked, in Unix milliseconds: of that day its prompt may tell. */
  askedAt: number;
}

/** A model that can be asked how likely each token of an answer is. */
export type AuditingBackend = Required<Pick<InferenceBackend, 'score' | 'tokenize'>>;

/** What a model of this computer makes of an answer. */
export interface ReadAgain {
  /** Of each token: of the first ones, where the model has no room for all. */
  audits: AuditSums[];
  /** The tokens as text; none where the model does not have them all. */
  spelled: Pick<TokenProbability, 'token' | 'bytes'>[];
}

/**
 * Has a model of this computer read an answer, and holds each token against what it would have said and chosen. An answer with tokens that the model does not have
 * is none of its.
 * @throws what the backend throws; CONTEXT_TOO_LONG where not even the beginning of the answer has room
 */
export async function readAgain(
  backend: AuditingBackend,
  answer: ToldAnswer,
  options: Pick<GenerateOptions, 'signal' | 'deadlineMs'> = {},
): Promise<ReadAgain> {
  const { evidence } = answer;
  try {
    return await readWhole(backend, answer, options);
  } catch (error) {
    const { code, field } = QuarryError.from(error);
    if (code === 'BAD_REQUEST' && field === 'continuation')
      return { audits: evidence.map(() => ALL_OTHERWISE), spelled: [] };
    if (code !== 'CONTEXT_TOO_LONG' || evidence.length < 2) throw error;
    const beginning = evidence.slice(0, Math.floor(evidence.length / 2));
    return await readAgain(backend, { ...answer, evidence: beginning }, options);
  }
}

async function readWhole(
  backend: AuditingBackend,
  { input, sampling, evidence, askedAt }: ToldAnswer,
  options: Pick<GenerateOptions, 'signal' | 'deadlineMs'>,
): Promise<ReadAgain> {
  if (evidence.length === 0) return { audits: [], spelled: [] };
  const continuation = evidence.map(({ id }) => id);
  const topK = Math.max(EVIDENCE_TOP, candidatesWanted(sampling));
  const { tokens } = await backend.score({ input, continuation, topK }, { ...options, askedAt });
  const prompt = sampling.repeatPenalty === 1 ? [] : await backend.tokenize(input, { askedAt });
  const audits = auditTokens({ prompt, sampling, evidence, own: tokens.map(viewOf) });
  return { audits, spelled: tokens.map(({ token, bytes }) => ({ token, bytes })) };
}

function viewOf({ logprob, top }: ScoreResult['tokens'][number]) {
  return { logprob, top: top.flatMap(({ id, logprob }) => (id === undefined ? [] : [{ id, logprob }])) };
}
