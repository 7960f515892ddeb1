import { inferenceMessageSchema, MAX_INFERENCE_FRAME } from './inference/messages.ts';
import { MAX_SCORE_FRAME, scoreMessageSchema } from './scores/score-messages.ts';
import { MAX_OFFERS_FRAME, MODELS_NETWORK_NAME, modelsMessageSchema } from './sharing/messages.ts';

// The names are part of the protocol: another name is another network.

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
  signed: true,
} as const;

/** Whoever has model files offers them here; the files are replicated beside the messages, on a swarm of its own. */
export const MODELS_NETWORK = {
  name: MODELS_NETWORK_NAME,
  schema: modelsMessageSchema,
  maxFrame: MAX_OFFERS_FRAME,
  signed: true,
} as const;
