import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import type { KeyPair } from 'hypercore-crypto';

/**
 * Doubles of Hyperswarm and its DHT: connections are two ends of a pipe in memory, so that a test has thousands of them from any
 * address. What a MeshSwarm makes of them is its own code. Nothing is encrypted, and who is there is what the ends say.
 *
 * @example
 * ```ts
 * vi.mock('hyperswarm', async () => ({ default: (await import('../support/memory-swarm.ts')).MemorySwarm }));
 * vi.mock('hyperdht', async () => ({ default: (await import('../support/memory-swarm.ts')).MemoryDht }));
 * ```
 */
export class MemorySwarm extends EventEmitter {
  static readonly #open = new Map<string, MemorySwarm>();
  readonly dht: MemoryDht;
  readonly server = {
    firewall: (_key: Buffer, _payload: unknown, _from: { host: string; port: number }) => false,
    _onpeerhandshake: async () => null,
  };
  readonly connections = new Set<NoiseStream>();
  destroyed = false;
  readonly #keyPair: KeyPair;

  constructor({ keyPair, dht }: { keyPair: KeyPair; dht: MemoryDht }) {
    super();
    this.#keyPair = keyPair;
    this.dht = dht;
    MemorySwarm.#open.set(keyPair.publicKey.toString('hex'), this);
  }

  /**
   * Connects somebody to an open swarm.
   *
   * @param from the address that the swarm sees
   * @returns the other end; undefined when the swarm's firewall refuses the handshake
   */
  static connect(id: string, publicKey: Buffer, from: string): NoiseStream | undefined {
    const swarm = MemorySwarm.#open.get(id);
    if (!swarm || swarm.server.firewall(publicKey, null, { host: from, port: 1_024 })) return undefined;
    const handshakeHash = createHash('sha256').update(publicKey).update(String(Math.random())).digest();
    const caller = new MemoryStream({
      publicKey,
      remotePublicKey: swarm.#keyPair.publicKey,
      isInitiator: true,
      handshakeHash,
    });
    const called = new MemoryStream({
      publicKey: swarm.#keyPair.publicKey,
      remotePublicKey: publicKey,
      isInitiator: false,
      handshakeHash,
    });
    called.rawStream.remoteHost = from;
    caller.pair(called);
    swarm.#take(called);
    return caller as unknown as NoiseStream;
  }

  /** Connects two open swarms. @param from the address of the first, as the second sees it @throws when it is refused */
  static meet(first: string, second: string, from: string): void {
    const swarm = MemorySwarm.#open.get(first);
    const stream = swarm && MemorySwarm.connect(second, swarm.#keyPair.publicKey, from);
    if (!stream) throw new Error('The handshake was refused.');
    swarm.#take(stream);
  }

  /** Open connections of a swarm. */
  static connectionsOf(id: string): number {
    return MemorySwarm.#open.get(id)?.connections.size ?? 0;
  }

  #take(stream: NoiseStream | MemoryStream): void {
    const taken = stream as NoiseStream;
    this.connections.add(taken);
    taken.once('close', () => this.connections.delete(taken));
    this.emit('connection', taken, {});
  }

  join() {
    return { flushed: async () => true, refresh: async () => true, destroy: async () => undefined };
  }

  joinPeer(): void {}

  async destroy(): Promise<void> {
    this.destroyed = true;
    MemorySwarm.#open.delete(this.#keyPair.publicKey.toString('hex'));
    for (const stream of this.connections) stream.destroy();
  }
}

export class MemoryDht {
  online = true;
  firewalled = false;
  randomized = false;
  host = '127.0.0.1';
  port = 1;
  async bind(): Promise<void> {}
  async ready(): Promise<void> {}

  /** Nobody else: there is none to take leave of. */
  toArray(): [] {
    return [];
  }
  async destroy(): Promise<void> {}
}

interface Ends {
  publicKey: Buffer;
  remotePublicKey: Buffer;
  isInitiator: boolean;
  handshakeHash: Buffer;
}

/** One end of a connection, as a NoiseStream looks to those who use it: each write comes out as one message. */
class MemoryStream extends Duplex {
  readonly publicKey: Buffer;
  readonly remotePublicKey: Buffer;
  readonly isInitiator: boolean;
  readonly handshakeHash: Buffer;
  readonly rawStream = Object.assign(new EventEmitter(), { remoteHost: '127.0.0.1', remotePort: 1_024 });
  readonly opened = Promise.resolve(true);
  readonly noiseStream = this;
  userData: unknown = null;
  rawBytesRead = 0;
  #other: MemoryStream | undefined;
  #resume: (() => void) | undefined;

  constructor(ends: Ends) {
    super({ objectMode: true, highWaterMark: 64, emitClose: true });
    this.publicKey = ends.publicKey;
    this.remotePublicKey = ends.remotePublicKey;
    this.isInitiator = ends.isInitiator;
    this.handshakeHash = ends.handshakeHash;
  }

  pair(other: MemoryStream): void {
    this.#other = other;
    other.#other = this;
  }

  get destroying(): boolean {
    return this.destroyed;
  }

  setTimeout(): void {}
  setKeepAlive(): void {}

  /** As on a real connection, nothing arrives before whoever wrote it has returned: Protomux counts on that. */
  override _write(bytes: Uint8Array, _encoding: string, done: () => void): void {
    queueMicrotask(() => {
      const other = this.#other;
      if (!other || other.destroyed) {
        done();
        return;
      }
      other.rawBytesRead += bytes.length;
      if (other.push(Buffer.from(bytes))) done();
      else other.#resume = done;
    });
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _final(done: () => void): void {
    this.#other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const other = this.#other;
    this.#resume?.();
    done(error);
    if (other && !other.destroyed) setImmediate(() => other.destroy());
  }
}
