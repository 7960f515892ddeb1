import { randomInt } from 'node:crypto';
import type { InferenceBackend } from '../backend.ts';
import { type AuditSums, auditTokens } from './audit.ts';
import { GREEDY } from './choice.ts';

/** Probes of a calibration, and how long each goes on. */
export const CALIBRATION_PROBES = 24;
const LENGTH = 256;
/** Tokens that a probe goes on from, and the first number that one of them may have: below, vocabularies keep what is no text (QUASAR, A8). */
export const PROMPT_TOKENS = 128;
export const LEAST_TOKEN = 10;

export interface HonestProbesOptions {
  /** Tokens that the model has. */
  vocabulary: number;
  signal?: AbortSignal;
  /** Default {@link CALIBRATION_PROBES}. */
  probes?: number;
  /** Tokens of each. Default 256. */
  length?: number;
}

/**
 * Has a model go on from tokens by chance, and read that again. What it says to them soon repeats itself, and then differs more from how it is read than answers to people do: the ten
 * likeliest tokens are less likely there, all but one.
 * @throws what the backend throws; the signal's reason
 */
export async function* honestProbes(
  probe: NonNullable<InferenceBackend['probe']>,
  { vocabulary, signal, probes = CALIBRATION_PROBES, length = LENGTH }: HonestProbesOptions,
): AsyncGenerator<AuditSums[], void, undefined> {
  for (let number = 0; number < probes; number++) {
    signal?.throwIfAborted();
    const prompt = Array.from({ length: PROMPT_TOKENS }, () => randomInt(LEAST_TOKEN, vocabulary));
    const asked = { prompt, length, captureAt: 1 };
    const { tokens, evidence } = await probe(asked, { evidence: true, ...(signal && { signal }) });
    const read = await probe({ ...asked, said: tokens }, { ...(signal && { signal }) });
    yield auditTokens({ prompt: [], sampling: GREEDY, evidence, own: viewsOf(read.evidence) });
  }
}

/** What somebody has read, as an audit takes it. */
export function viewsOf(read: Awaited<ReturnType<NonNullable<InferenceBackend['probe']>>>['evidence']) {
  return read.map(({ logprob, top }) => ({ logprob, top: top.map(([id, each]) => ({ id, logprob: each })) }));
}
