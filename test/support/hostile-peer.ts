import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import c from 'compact-encoding';
import HyperDHT, { type Address } from 'hyperdht';
import Protomux, { type Channel, type Message } from 'protomux';
import { ignoring } from '../../src-main/base/swallowed.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import type { Hello } from '../../src-main/mesh/transport/messages.ts';
import { randomIdentity } from './mesh-node.ts';

/** A node that speaks to a victim below our own code, so that it can say anything. */
export class HostilePeer {
  readonly identity: Identity;
  readonly stream: NoiseStream;
  readonly mux: Protomux;
  /** Resolves when the victim (or anyone) ended the connection. */
  readonly closed: Promise<void>;
  readonly #dht: HyperDHT;
  #channel: Channel | undefined;
  #bytes: Message<Uint8Array> | undefined;
  #echo = '0'.repeat(32);

  private constructor(dht: HyperDHT, stream: NoiseStream, identity: Identity) {
    this.#dht = dht;
    this.stream = stream;
    this.identity = identity;
    this.mux = new Protomux(stream);
    this.closed = new Promise((resolve) => stream.once('close', () => resolve()));
  }

  /** Connects to the node whose id is `victim`. @throws when it is refused */
  static async connect(bootstrap: Address[], victim: string, identity = randomIdentity()): Promise<HostilePeer> {
    const dht = new HyperDHT({ bootstrap, host: '127.0.0.1' });
    const stream = dht.connect(Buffer.from(victim, 'hex'), { keyPair: identity.keyPair });
    const peer = new HostilePeer(dht, stream, identity);
    try {
      await once(stream, 'open');
    } catch (error) {
      await peer.destroy();
      throw error;
    }
    return peer;
  }

  /** Opens a network's channel; resolves when the victim took it up. */
  async join(network: { name: string }, topic: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#channel =
        this.mux.createChannel({
          protocol: network.name,
          id: topic,
          handshake: c.raw,
          onopen: (challenge) => {
            this.#echo = Buffer.from(challenge).toString('hex');
            resolve();
          },
          onclose: () => reject(new Error('the victim closed the channel')),
        }) ?? undefined;
      this.#bytes = this.#channel?.addMessage({ encoding: c.raw, onmessage: () => {} });
      this.#channel?.open(randomBytes(16));
    });
  }

  /** Opens any channel, whether or not somebody takes it up. */
  openChannel(protocol: string): void {
    this.mux.createChannel({ protocol })?.open();
  }

  sendBytes(bytes: Uint8Array): void {
    this.#bytes?.send(bytes);
  }

  send(message: object): void {
    const body = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(4);
    header.writeUInt32BE(body.length);
    this.sendBytes(Buffer.concat([header, body]));
  }

  hello(overrides: Partial<Omit<Hello, 'v'>> & { v?: number } = {}): void {
    const about = { sides: ['client'], models: [], caps: [], client: 'x' };
    this.send({ v: 2, type: 'hello', ts: Date.now(), ...about, echo: this.#echo, ...overrides });
  }

  async destroy(): Promise<void> {
    this.stream.on('error', ignoring('it is being ended'));
    this.stream.destroy();
    await this.#dht.destroy();
  }
}
