/** The parts of the Holepunch packages that the mesh uses; they ship without types. */

declare module 'hypercore-crypto' {
  export interface KeyPair {
    publicKey: Buffer;
    secretKey: Buffer;
  }
  const crypto: {
    keyPair(seed?: Uint8Array): KeyPair;
    /** What a core is found by, without giving its key away. */
    discoveryKey(key: Uint8Array): Buffer;
    sign(message: Uint8Array, secretKey: Uint8Array): Buffer;
    verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
  };
  export default crypto;
}

declare module '@hyperswarm/secret-stream' {
  import type { Duplex } from 'node:stream';

  /** An encrypted, authenticated stream between two nodes (Noise IK over UDX). */
  export interface NoiseStream extends Duplex {
    readonly isInitiator: boolean;
    readonly publicKey: Buffer;
    readonly remotePublicKey: Buffer;
    readonly handshakeHash: Buffer;
    /** Bytes of complete encrypted messages received so far. */
    readonly rawBytesRead: number;
    /** Below the public interface: how long the message is that is coming, as its sender says; 0 between two. */
    readonly _len: number;
    readonly rawStream: Duplex & { readonly remoteHost: string; readonly remotePort: number };
    readonly destroying: boolean;
    setTimeout(ms: number): void;
    setKeepAlive(ms: number): void;
  }
}

declare module 'hyperdht' {
  import type { EventEmitter } from 'node:events';
  import type { NoiseStream } from '@hyperswarm/secret-stream';
  import type { KeyPair } from 'hypercore-crypto';
  import type NoiseWrap from 'hyperdht/lib/noise-wrap.js';

  export interface Address {
    host: string;
    port: number;
  }
  export interface DhtOptions {
    bootstrap?: Address[];
    host?: string;
    port?: number;
    ephemeral?: boolean;
    firewalled?: boolean;
  }
  /** The side that starts knows the key of the other; the other is given null. */
  export type CreateHandshake = (keyPair: KeyPair, remotePublicKey: Buffer | null) => NoiseWrap;
  export interface DhtServer extends EventEmitter {
    /** Asked before anything is set up for a stranger; true refuses. */
    firewall: (publicKey: Buffer, payload: unknown, address: Address | undefined) => boolean | Promise<boolean>;
    createHandshake: CreateHandshake;
    /** A handshake came, from somebody himself or from a relay of the DHT. @returns the answer; null for none */
    _onpeerhandshake(message: unknown, request: { from: Address }): Promise<unknown>;
    listen(keyPair: KeyPair): Promise<void>;
  }
  export default class HyperDHT extends EventEmitter {
    constructor(options?: DhtOptions);
    readonly destroyed: boolean;
    readonly online: boolean;
    /** Nodes that have answered, as they are known now. */
    toArray(options?: { limit?: number }): Address[];
    readonly firewalled: boolean;
    readonly randomized: boolean;
    readonly host: string | null;
    readonly port: number;
    /** Binds the socket; `ready` waits for the network too. */
    bind(): Promise<void>;
    ready(): Promise<void>;
    fullyBootstrapped(): Promise<void>;
    address(): Address;
    createServer(onConnection: (stream: NoiseStream) => void): DhtServer;
    connect(publicKey: Uint8Array, options?: { keyPair?: KeyPair; createHandshake?: CreateHandshake }): NoiseStream;
    destroy(options?: { force?: boolean }): Promise<void>;
    static bootstrapper(port: number, host: string, options?: DhtOptions): HyperDHT;
    static readonly BOOTSTRAP: string[];
  }
}

declare module 'hyperdht/lib/noise-wrap.js' {
  import type { KeyPair } from 'hypercore-crypto';

  /** The Noise handshake of a connection, with what the two sides tell each other in it. */
  export default class NoiseWrap {
    constructor(keyPair: KeyPair, remotePublicKey: Buffer | null);
    /** Reads the other side's message. @throws when it is none */
    recv(message: Uint8Array): { relayThrough: { publicKey: Buffer; token: Buffer } | null };
  }
}

declare module 'hyperdht/testnet.js' {
  import type HyperDHT from 'hyperdht';
  import type { Address } from 'hyperdht';

  export default function createTestnet(
    size?: number,
    options?: { host?: string; port?: number },
  ): Promise<{ nodes: HyperDHT[]; bootstrap: Address[]; destroy(): Promise<void> }>;
}

declare module 'hyperswarm' {
  import type { EventEmitter } from 'node:events';
  import type { NoiseStream } from '@hyperswarm/secret-stream';
  import type { KeyPair } from 'hypercore-crypto';
  import type HyperDHT from 'hyperdht';
  import type { DhtServer } from 'hyperdht';

  export interface PeerInfo {
    publicKey: Buffer;
    topics: Buffer[];
    ban(banned: boolean): void;
  }
  export interface PeerDiscovery {
    flushed(): Promise<boolean>;
    refresh(options?: { server?: boolean; client?: boolean }): Promise<boolean>;
    destroy(): Promise<void>;
  }
  export interface SwarmOptions {
    keyPair?: KeyPair;
    dht?: HyperDHT;
    maxPeers?: number;
    maxClientConnections?: number;
    firewall?: (publicKey: Buffer) => boolean;
  }
  export default class Hyperswarm extends EventEmitter {
    constructor(options?: SwarmOptions);
    readonly dht: HyperDHT;
    readonly server: DhtServer;
    readonly connections: Set<NoiseStream>;
    /** Nodes that are connected, were found or are wanted, by id. */
    readonly peers: ReadonlyMap<string, PeerInfo>;
    readonly destroyed: boolean;
    join(topic: Uint8Array, options?: { server?: boolean; client?: boolean }): PeerDiscovery;
    joinPeer(publicKey: Uint8Array): void;
    leavePeer(publicKey: Uint8Array): void;
    flush(): Promise<boolean>;
    destroy(options?: { force?: boolean }): Promise<void>;
    on(event: 'connection', listener: (stream: NoiseStream, info: PeerInfo) => void): this;
    on(event: 'ban', listener: (info: PeerInfo) => void): this;
    on(event: 'update', listener: () => void): this;
  }
}

declare module 'compact-encoding' {
  export interface Encoding<T> {
    preencode(state: unknown, value: T): void;
    encode(state: unknown, value: T): void;
    decode(state: unknown): T;
  }
  const encodings: { raw: Encoding<Uint8Array> };
  export default encodings;
}

declare module 'protomux' {
  import type { NoiseStream } from '@hyperswarm/secret-stream';
  import type { Encoding } from 'compact-encoding';

  export interface Message<T> {
    /** False when the stream is full: wait for the channel's `ondrain`. */
    send(value: T): boolean;
  }
  export interface Channel {
    readonly opened: boolean;
    readonly closed: boolean;
    addMessage<T>(options: { encoding: Encoding<T>; onmessage: (value: T) => void }): Message<T>;
    /** @param handshake goes out with it, if the channel has an encoding for it */
    open(handshake?: Uint8Array): void;
    close(): void;
  }
  export interface ChannelOptions {
    protocol: string;
    id?: Uint8Array | null;
    /** How the handshakes are written: what {@link Channel.open} sends and `onopen` gets. */
    handshake?: Encoding<Uint8Array>;
    onopen?: (handshake: Uint8Array) => void;
    onclose?: (isRemote: boolean) => void;
    ondestroy?: () => void;
    ondrain?: () => void;
  }
  export default class Protomux {
    constructor(stream: NoiseStream);
    readonly stream: NoiseStream;
    readonly drained: boolean;
    createChannel(options: ChannelOptions): Channel | null;
    pair(options: { protocol: string; id?: Uint8Array | null }, notify: () => void | Promise<void>): void;
    unpair(options: { protocol: string; id?: Uint8Array | null }): void;
    destroy(error?: Error): void;
    /** A message came. */
    protected _ondata(message: Uint8Array): void;
    /** Reads what a message, or one of a batch, says to a channel. */
    protected _decode(remoteId: number, state: unknown): unknown;
    protected _onbatch(state: unknown): void;
    /** The other side opens a channel. */
    protected _onopensession(state: unknown): unknown;
  }
}
