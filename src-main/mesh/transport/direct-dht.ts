import type { NoiseStream } from '@hyperswarm/secret-stream';
import type { KeyPair } from 'hypercore-crypto';
import HyperDHT, { type CreateHandshake } from 'hyperdht';
import NoiseWrap from 'hyperdht/lib/noise-wrap.js';

/**
 * A handshake that leaves out the relay which the other side names: HyperDHT would connect to it, whatever key a stranger says,
 * and what comes by way of it may change its address later. Quarry's nodes name none.
 */
class DirectHandshake extends NoiseWrap {
  override recv(message: Uint8Array) {
    return { ...super.recv(message), relayThrough: null };
  }
}

export const directHandshake: CreateHandshake = (keyPair, remoteKey) => new DirectHandshake(keyPair, remoteKey);

/** A HyperDHT that connects to nobody but whom it is asked to. */
export class DirectDht extends HyperDHT {
  override connect(publicKey: Uint8Array, options: { keyPair?: KeyPair } = {}): NoiseStream {
    return super.connect(publicKey, { ...options, createHandshake: directHandshake });
  }
}
