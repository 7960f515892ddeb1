import { createHmac } from 'node:crypto';
import { type Identity, identityFromSeed } from '../transport/identity.ts';

/**
 * The key under which a node's models swarm connects: two swarms cannot announce one key, and model files get a connection
 * of their own (docs/decisions/0002-one-swarm.md). Offers name the main identity by signing with it.
 */
export function modelsIdentity({ keyPair }: Identity): Identity {
  return identityFromSeed(createHmac('sha256', keyPair.secretKey).update('quarry-models/v2').digest());
}
