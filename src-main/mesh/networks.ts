import { scoreMessageSchema } from './scores/score-messages.ts';
import { MAX_OFFERS_FRAME, modelsMessageSchema } from './sharing/messages.ts';
import { inferenceMessageSchema } from './transport/messages.ts';
import { MAX_INFERENCE_FRAME, MAX_SCORE_FRAME } from './transport/wire.ts';

/** Clients ask, workers answer. */
export const INFERENCE_NETWORK = {
  name: 'qmesh-inference-v2',
  schema: inferenceMessageSchema,
  maxFrame: MAX_INFERENCE_FRAME,
} as const;

/** Workers tell and check each other's totals; their score logs are replicated beside the messages. */
export const SCORES_NETWORK = {
  name: 'qmesh-scores-v2',
  schema: scoreMessageSchema,
  maxFrame: MAX_SCORE_FRAME,
} as const;

/** Whoever has model files offers them here; the files are replicated beside the messages, on a swarm of its own. */
export const MODELS_NETWORK = {
  name: 'qmesh-models-v2',
  schema: modelsMessageSchema,
  maxFrame: MAX_OFFERS_FRAME,
} as const;
