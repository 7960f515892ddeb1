import { EventEmitter } from 'node:events';
import type { PeerDiscovery } from 'hyperswarm';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type BackOff, backOffMs } from '../../base/back-off.ts';
import type { Connection } from './connection.ts';
import type { Peer } from './peer.ts';
import { type SelfDescription, Session, type SessionContext } from './session.ts';
import type { MeshSwarm } from './swarm.ts';

/** Milliseconds between two look-ups: as long as nobody is found, and when somebody is. */
const LONELY_SEARCH: BackOff = { firstMs: 500, longestMs: 30_000 };
const SETTLED_SEARCH_MS = 120_000;

export interface MeshNetworkOptions<M extends { type: string }> {
  swarm: MeshSwarm;
  name: string;
  /** Every message that may come after hello. */
  schema: z.ZodType<M>;
  /** Largest frame body, in bytes. */
  maxFrame: number;
  /** Whether nearly all that is said there is signed: to verify it takes as long as to read as much again. Default false. */
  signed?: boolean;
  /**
   * `server` lets others find this node, `client` looks for others; `both` does both. A worker of the inference network
   * is a server, whoever asks is a client. `none`: its topic is on no DHT, its nodes know each other's ids.
   */
  mode: 'server' | 'client' | 'both' | 'none';
  /** Where its nodes meet. Default: the network's own topic in this mesh. */
  topic?: Buffer;
  /** Milliseconds between two look-ups when somebody was found. Default 120,000. */
  settledSearchMs?: number;
  /** To whom (an id) this node opens its channel by itself; to those who open theirs it always does. Default: everybody. */
  opensTo?: (id: string) => boolean;
  /** What this node says of itself; asked anew for every connection. */
  describe: () => SelfDescription;
  log: Logger;
}

interface NetworkEvents<M extends { type: string }> {
  /** A node said a valid hello. Attach to its messages in this turn. */
  peer: [Peer<M>];
  /** A node that had said hello is gone; why. */
  leave: [Peer<M>, string];
}

/** One network of the mesh: finds its nodes and turns them into {@link Peer}s. */
export class MeshNetwork<M extends { type: string }> extends EventEmitter<NetworkEvents<M>> {
  readonly name: string;
  readonly topic: Buffer;
  readonly swarm: MeshSwarm;
  readonly #mode: MeshNetworkOptions<M>['mode'];
  readonly #settledSearchMs: number;
  readonly #opensTo: (id: string) => boolean;
  readonly #context: SessionContext<M>;
  readonly #log: Logger;
  readonly #peers = new Map<string, Peer<M>>();
  #discovery: PeerDiscovery | undefined;
  #isOpen = false;
  #pulse: NodeJS.Timeout | undefined;
  #search: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: MeshNetworkOptions<M>) {
    super();
    this.name = options.name;
    this.swarm = options.swarm;
    this.topic = options.topic ?? options.swarm.keys.topic(options.name);
    this.#mode = options.mode;
    this.#settledSearchMs = options.settledSearchMs ?? SETTLED_SEARCH_MS;
    this.#opensTo = options.opensTo ?? (() => true);
    this.#log = options.log.child({ network: options.name });
    this.#context = {
      ...options,
      topic: this.topic,
      log: this.#log,
      onPeer: (peer) => this.#add(peer),
      onLeave: (peer, reason) => this.#remove(peer, reason),
    };
  }

  /** Nodes that said hello and are still there, by id. */
  get peers(): ReadonlyMap<string, Peer<M>> {
    return this.#peers;
  }

  /**
   * Calls `onPeer` with every node that is there and, as it comes, with every other: attach to its messages in that turn. Calls `onLeave`
   * with those that go, and why.
   *
   * @returns what ends that; who is there then is not taken leave of
   */
  follow(onPeer: (peer: Peer<M>) => void, onLeave: (peer: Peer<M>, reason: string) => void = () => {}): () => void {
    for (const peer of this.peers.values()) onPeer(peer);
    this.on('peer', onPeer);
    this.on('leave', onLeave);
    return () => {
      this.off('peer', onPeer);
      this.off('leave', onLeave);
    };
  }

  /** Joins the network; discovery goes on behind the scenes, `discovered` waits for its first round. Idempotent. */
  async open(): Promise<void> {
    if (this.#isOpen || this.#closing) return;
    this.#isOpen = true;
    const mode = { server: this.#mode !== 'client', client: this.#mode !== 'server' };
    this.#discovery = this.swarm.attach(this, this.#mode === 'none' ? undefined : mode);
    this.#pulse = setInterval(() => this.#probePeers(), this.swarm.limits.pingIntervalMs);
    if (this.#discovery && mode.client) this.#searchAgain();
  }

  /** Resolves when the announcement or look-up under way is done, or failed for want of a DHT. */
  async discovered(): Promise<void> {
    await this.#discovery?.flushed();
  }

  /** Leaves the network; every peer ends. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Connects to a node whose id (64 hex) is known, whether or not discovery finds it. */
  joinPeer(id: string): void {
    this.swarm.joinPeer(id);
  }

  /** Opens this network's channel on the connections with those whom it opens to by now. */
  openMore(): void {
    for (const connection of this.swarm.connections) {
      if (!connection.joined.has(this.name)) this.join(connection, false);
    }
  }

  /** Opens this network's channel on a connection, if it is to. For the swarm only. */
  join(connection: Connection, asked: boolean): void {
    if (asked || this.#opensTo(connection.id)) new Session(this.#context, connection).open();
  }

  #add(peer: Peer<M>): void {
    this.#peers.get(peer.id)?.close('replaced by a new connection');
    this.#peers.set(peer.id, peer);
    this.#log.debug({ peer: peer.id, sides: peer.sides, client: peer.hello.client }, 'peer joined');
    this.emit('peer', peer);
  }

  #remove(peer: Peer<M>, reason: string): void {
    if (this.#peers.get(peer.id) === peer) this.#peers.delete(peer.id);
    this.#log.debug({ peer: peer.id, reason }, 'peer left');
    this.emit('leave', peer, reason);
  }

  /** Two nodes that start together look up before either is announced, so a lonely node looks again soon. */
  #searchAgain(times = 1): void {
    const delayMs = this.#peers.size > 0 ? this.#settledSearchMs : backOffMs(times, LONELY_SEARCH);
    this.#search = setTimeout(() => {
      this.#discovery?.refresh().catch((error: unknown) => this.#log.debug({ err: error }, 'look-up failed'));
      this.#searchAgain(times + 1);
    }, delayMs);
  }

  #probePeers(): void {
    for (const peer of this.#peers.values()) {
      const isSilent = peer.probe() > this.swarm.limits.silenceMs;
      if (isSilent && !peer.connection.line.isWaiting) peer.connection.close('silent');
    }
  }

  async #close(): Promise<void> {
    clearInterval(this.#pulse);
    clearTimeout(this.#search);
    if (this.#isOpen) await this.swarm.detach(this, this.#discovery);
    for (const peer of this.#peers.values()) peer.close('network closed');
  }
}
