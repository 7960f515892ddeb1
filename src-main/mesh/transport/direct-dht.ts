import type { NoiseStream } from '@hyperswarm/secret-stream';
import type { KeyPair } from 'hypercore-crypto';
import HyperDHT, { type CreateHandshake, type DhtServer } from 'hyperdht';
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

/**
 * Has a server read no handshakes but those that it may: its firewall is asked only when they are read. Before it listens.
 *
 * @param mayBring asked with the address that the packet came from: a relay's, if one brought it
 */
export function limitHandshakes(server: DhtServer, mayBring: (host: string) => boolean): void {
  const read = server._onpeerhandshake.bind(server);
  server._onpeerhandshake = async (message, request) => (mayBring(request.from.host) ? read(message, request) : null);
}

/** A HyperDHT that connects to nobody but whom it is asked to. */
export class DirectDht extends HyperDHT {
  override connect(publicKey: Uint8Array, options: { keyPair?: KeyPair } = {}): NoiseStream {
    return super.connect(publicKey, { ...options, createHandshake: directHandshake });
  }
}
