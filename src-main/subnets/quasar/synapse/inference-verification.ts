import { z } from 'zod';
import { MAX_MODEL_NAME_CHARS } from '../../../../src-preload/contract/limits.ts';
import { defineSynapse } from '../../../bittensor/synapse/synapse.ts';
import { MAX_PROBE_TOKENS } from '../../../inference/request-schema.ts';
import { INFERENCE_FIELDS } from '../verification/answering.ts';

const NAME = 'InferenceVerificationSynapse';
const ANY = z.unknown().optional();

/**
 * A probe of bare tokens as an axon takes it. What QUASAR has besides is left out: speed, similarity and score, which a miner would say of itself, and its verdict.
 */
export const INFERENCE_VERIFICATION = defineSynapse({
  name: NAME,
  fields: {
    ...INFERENCE_FIELDS,
    prompt: z.array(z.int().min(0)).min(1).max(MAX_PROBE_TOKENS),
    reference_model: z.string().max(MAX_MODEL_NAME_CHARS).nullish(),
    ...{ tokens: ANY, captured_logits: ANY, elapsed_sec: ANY, model_sha256: ANY, evidence: ANY },
  },
});

/** The same as it is asked: what comes back is read as the answer of an inference server is. */
export const INFERENCE_PROBE = defineSynapse({
  name: NAME,
  fields: {
    ...{ prompt: z.array(z.unknown()), gen_len: ANY, logits_at_step: ANY },
    ...{ tokens: ANY, captured_logits: ANY, elapsed_sec: ANY, model_sha256: ANY, evidence: ANY },
  },
});
