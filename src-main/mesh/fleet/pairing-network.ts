import type { Logger } from 'pino';
import { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import type { CodeKeys, ProofBinding } from './code-keys.ts';
import { PAIRING_NETWORK, type PairingMessage } from './messages.ts';

/** Milliseconds between two look-ups, though somebody was found: it may be anybody. */
const SEARCH_MS = 5_000;

export interface PairingContext {
  swarm: MeshSwarm;
  keys: CodeKeys;
  log: Logger;
}

/**
 * Where the two nodes of a code meet. The one that shows it is announced and opens its channel to nobody by itself, so that the place is told
 * to no peer; the other opens one to those that it finds there.
 */
export function pairingNetwork(
  side: 'host' | 'guest',
  { swarm, keys, log }: PairingContext,
): MeshNetwork<PairingMessage> {
  const topic = swarm.keys.topicOf(PAIRING_NETWORK.name, keys.meeting);
  return new MeshNetwork({
    ...PAIRING_NETWORK,
    swarm,
    topic,
    settledSearchMs: SEARCH_MS,
    mode: side === 'host' ? 'server' : 'client',
    opensTo: (id) => side === 'guest' && swarm.wasFoundAt(topic, id),
    describe: () => ({ sides: [] }),
    log,
  });
}

/** What proofs on the connection with this peer are bound to. */
export function bindingTo(peer: Peer<PairingMessage>, side: 'host' | 'guest', self: string): ProofBinding {
  const { handshakeHash } = peer.connection.stream;
  return side === 'host'
    ? { handshakeHash, host: self, guest: peer.id }
    : { handshakeHash, host: peer.id, guest: self };
}
