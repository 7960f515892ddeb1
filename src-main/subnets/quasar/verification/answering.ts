import { z } from 'zod';
import { boundedArray } from '../../../../src-preload/contract/bounded.ts';
import type { InferenceBackend, Probed } from '../../../inference/backend.ts';
import type { TokenEvidence } from '../../../inference/evidence.ts';
import { MAX_PROBE_TOKENS } from '../../../inference/request-schema.ts';
import { declaredFile } from '../../../inference/verified/declared-file.ts';
import type { TokenProbe } from '../../../validation/environment.ts';

/** What QUASAR's validators ask, with its defaults. */
export const INFERENCE_FIELDS = {
  prompt: boundedArray(z.int().min(0), MAX_PROBE_TOKENS, 1),
  gen_len: z.int().min(1).max(MAX_PROBE_TOKENS).default(512),
  /** 1 for the first of the tokens. */
  logits_at_step: z.int().min(1).max(MAX_PROBE_TOKENS).default(25),
};

export const inferenceSchema = z.object(INFERENCE_FIELDS);

/** What a miner answers: the original's fields, and two by which a quantised file can be recognised. */
export interface InferenceAnswer {
  tokens: number[];
  /** Of the step that was asked for, for each token of the vocabulary. */
  captured_logits: number[];
  /** By this node's clock: nobody goes by it. */
  elapsed_sec: number;
  /** SHA-256 of the model's file, 64 hex; absent where that does not say what is computed. */
  model_sha256?: string;
  /** Of each token, where the file is quantised. */
  evidence?: TokenEvidence[];
}

/** Digits of a logit: a 32-bit float has no more. */
const LOGIT_DIGITS = 7;
const LOGPROB_DIGITS = 5;

/** The model that answers: its own probe, and what it is. */
export type ProbedModel = Pick<InferenceBackend, 'status'> & Required<Pick<InferenceBackend, 'probe'>>;

/** Whether a model can be asked with bare tokens: one on another machine cannot. */
export const takesProbes = <Model extends Pick<InferenceBackend, 'probe'>>(
  model: Model,
): model is Model & Required<Pick<InferenceBackend, 'probe'>> => model.probe !== undefined;

/** Answers a probe with a model. @throws what the model throws */
export async function answerProbe(
  model: ProbedModel,
  request: TokenProbe,
  signal?: AbortSignal,
): Promise<InferenceAnswer> {
  const info = model.status().model;
  const sha256 = info && declaredFile(info);
  const unquantised = info?.unquantised;
  const begun = performance.now();
  const probed = await model.probe(request, { evidence: !unquantised, ...(signal && { signal }) });
  const elapsed = (performance.now() - begun) / 1_000;
  return {
    tokens: probed.tokens,
    captured_logits: Array.from(probed.logits, (logit) => Number(logit.toPrecision(LOGIT_DIGITS))),
    elapsed_sec: Number(elapsed.toFixed(3)),
    ...(sha256 !== undefined && { model_sha256: sha256 }),
    ...(!unquantised && { evidence: shortened(probed) }),
  };
}

function shortened({ evidence }: Probed): TokenEvidence[] {
  const short = (logprob: number) => Number(logprob.toFixed(LOGPROB_DIGITS));
  return evidence.map(({ id, logprob, top }) => ({
    ...{ id, logprob: short(logprob) },
    top: top.map(([each, chance]) => [each, short(chance)]),
  }));
}
