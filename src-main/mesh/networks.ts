import { CALLS_NETWORK, FLEET_NETWORK, PAIRING_NETWORK } from './fleet/messages.ts';
import { INFERENCE_NETWORK } from './inference/messages.ts';
import { SCORES_NETWORK } from './scores/score-messages.ts';
import { MODELS_NETWORK } from './sharing/messages.ts';

/** All networks of the mesh. */
export const NETWORKS = {
  inference: INFERENCE_NETWORK,
  scores: SCORES_NETWORK,
  models: MODELS_NETWORK,
  pairing: PAIRING_NETWORK,
  fleet: FLEET_NETWORK,
  calls: CALLS_NETWORK,
} as const;
