import type { NoiseStream } from '@hyperswarm/secret-stream';
import type HyperDHT from 'hyperdht';
import type { Address } from 'hyperdht';
import Hyperswarm, { type PeerDiscovery } from 'hyperswarm';
import type { Logger } from 'pino';
import { closeAll } from '../../base/close-all.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Connection } from './connection.ts';
import { DirectDht, directHandshake, limitHandshakes } from './direct-dht.ts';
import type { BanList, Offence } from './guards/ban-list.ts';
import { PeerBudgets } from './guards/budgets.ts';
import { FairReading } from './guards/fair-reading.ts';
import { ConnectionGate, type GateReason } from './guards/gate.ts';
import { DEFAULT_LIMITS, type Limits } from './guards/limits.ts';
import { PartialMessages } from './guards/partial-messages.ts';
import { QuietLog, Refusals } from './guards/refusals.ts';
import type { Identity } from './identity.ts';
import { MeshKeys, type MeshName } from './topic.ts';

/** Milliseconds to wait for the DHT at the start. */
const READY_MS = 1_500;
/** Milliseconds to take leave of the DHT; where there is no network, that would take far longer. */
const CLOSE_MS = 1_000;
/** Milliseconds in which a clock that differs is logged once. */
const CLOCK_QUIET_MS = 60_000;
/** Of what is read of all peers together, the part that goes to frames where files come too: little is said there. */
const BULK_SHARE = 1 / 6;

export interface MeshSwarmOptions {
  identity: Identity;
  /** DHT nodes to start from. Default: the public ones. If all are on this machine, the mesh stays on it. */
  bootstrap?: Address[];
  /** Default: the public mesh. */
  mesh?: MeshName;
  limits?: Partial<Limits>;
  /**
   * Whether files come over it that this node has asked for: then they are read as fast as they come, and only the frames of
   * networks that are signed count. Default false: whatever comes counts.
   */
  bulk?: boolean;
  bans: BanList;
  /** Whether a node is one that this node owes something, or that owes it; from memory, as it is asked at each handshake. Default: nobody. */
  knows?: (nodeId: string) => boolean;
  /** Program and version, told to peers. Default `quarry/0`. */
  client?: string;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** What the swarm asks of a network that takes part in it. */
interface Member {
  readonly name: string;
  readonly topic: Buffer;
  /** A connection came; `asked` where the other side has opened the network's channel on it. */
  join(connection: Connection, asked: boolean): void;
}

/** Whether others find this node at a topic, and whether it looks for them. */
export interface MeetingMode {
  server: boolean;
  client: boolean;
}

/**
 * This node's one presence on the DHT: one key, one socket, one connection to each other node. Its networks share those
 * (docs/decisions/0002-one-swarm.md says why).
 */
export class MeshSwarm {
  readonly identity: Identity;
  readonly keys: MeshKeys;
  readonly limits: Limits;
  readonly bans: BanList;
  readonly refusals: Refusals;
  /** When a hello with another clock is worth a line: everybody may say what he likes of his. */
  readonly clockLog: QuietLog;
  readonly client: string;
  readonly now: () => number;
  readonly #bootstrap: Address[] | undefined;
  readonly #log: Logger;
  readonly #gate: ConnectionGate;
  readonly #budgets: PeerBudgets;
  readonly #reading: FairReading;
  readonly #partial: PartialMessages;
  readonly #members = new Set<Member>();
  readonly #connections = new Set<Connection>();
  /** Nodes that this one wants to be connected with, for their own sake. */
  readonly #expected = new Set<string>();
  #swarm: Hyperswarm | undefined;
  #ignoreBans: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(options: MeshSwarmOptions) {
    this.identity = options.identity;
    this.keys = new MeshKeys(options.mesh);
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.bans = options.bans;
    this.client = options.client ?? 'quarry/0';
    this.now = options.now ?? Date.now;
    this.refusals = new Refusals(options.log, this.now);
    this.clockLog = new QuietLog(CLOCK_QUIET_MS, this.now);
    this.#bootstrap = options.bootstrap;
    this.#log = options.log;
    const { knows = () => false } = options;
    this.#gate = new ConnectionGate(this.limits, this.bans, this.now, (id) => this.#expected.has(id) || knows(id));
    this.#budgets = new PeerBudgets(this.limits, this.now);
    const pace = this.limits.readBytesPerSecond * (options.bulk ? BULK_SHARE : 1);
    this.#reading = new FairReading(pace, !options.bulk, this.now);
    this.#partial = new PartialMessages(() => performance.now());
  }

  /** Open connections, whether or not a hello came yet. */
  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  /** This node's place on the DHT, for a person who asks why nobody finds it; undefined before `open`. */
  get dht(): Pick<HyperDHT, 'online' | 'firewalled' | 'randomized' | 'host' | 'port'> | undefined {
    return this.#swarm?.dht;
  }

  /**
   * Binds the socket and waits a moment for the DHT: who starts before it knows its own address connects by hole punching,
   * which is slow. Without a network it goes on all the same, and nodes are found as soon as there is one. Idempotent.
   */
  async open(): Promise<void> {
    if (this.#swarm) return;
    const dht = new DirectDht(dhtOptions(this.#bootstrap));
    this.#swarm = new Hyperswarm({
      keyPair: this.identity.keyPair,
      dht,
      // Those that are not proven yet keep this node from starting no others.
      maxPeers: this.limits.connections + 2 * this.limits.unproven,
      maxClientConnections: this.limits.connections,
      firewall: (key) => this.bans.find(key.toString('hex')) !== undefined,
    });
    // Hyperswarm never forgets a node that its firewall once refused; ours are refused only as long as a ban lasts.
    this.#swarm.on('ban', (info) => info.ban(false));
    // Set behind Hyperswarm's own firewall, which does not see the host and keeps a record of everyone it refused.
    this.#swarm.server.firewall = (key, _payload, from) => this.#refuses(key.toString('hex'), from?.host);
    this.#swarm.server.createHandshake = directHandshake;
    limitHandshakes(this.#swarm.server, (host) => this.#mayBring(host));
    this.#swarm.on('connection', (stream) => this.#connected(stream));
    this.#ignoreBans = this.bans.subscribe((id) => this.#drop(id));
    await dht.bind();
    await atMost(READY_MS, dht.ready());
  }

  /** Ends every connection and frees the socket. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Adds a network: its channel is opened on the connections that it wants.
   * @param mode its topic is announced or looked up. Default: neither, its nodes know each other's ids
   */
  attach(member: Member, mode: MeetingMode): PeerDiscovery;
  attach(member: Member, mode?: MeetingMode): PeerDiscovery | undefined;
  attach(member: Member, mode?: MeetingMode): PeerDiscovery | undefined {
    if (!this.#swarm) throw new Error('The swarm is not open.');
    this.#members.add(member);
    for (const connection of this.#connections) this.#join(member, connection);
    return mode && this.#swarm.join(member.topic, mode);
  }

  async detach(member: Member, discovery: PeerDiscovery | undefined): Promise<void> {
    this.#members.delete(member);
    for (const { mux } of this.#connections) mux.unpair({ protocol: member.name, id: member.topic });
    if (discovery) await this.part(discovery);
  }

  /** Announces this node at a further topic, or looks for others there; they meet on the same channels. */
  meet(topic: Buffer, mode: MeetingMode): PeerDiscovery {
    if (!this.#swarm) throw new Error('The swarm is not open.');
    return this.#swarm.join(topic, mode);
  }

  /** Ends what {@link meet} began. */
  async part(discovery: PeerDiscovery): Promise<void> {
    if (!this.#swarm?.destroyed) await atMost(this.#leaveMs, discovery.destroy());
  }

  /** Connects to a node whose id (64 hex) is known. */
  joinPeer(id: string): void {
    this.#swarm?.joinPeer(Buffer.from(id, 'hex'));
  }

  /** As {@link joinPeer}, and lets the node in before strangers. Called again for one that is away, it is tried again at once. */
  expect(id: string): void {
    this.#expected.add(id);
    this.joinPeer(id);
  }

  /** Ends what {@link expect} began; the connection stays as long as a network uses it. */
  unexpect(id: string): void {
    this.#expected.delete(id);
    this.#swarm?.leavePeer(Buffer.from(id, 'hex'));
  }

  /** Whether a node was found at a topic that this one looks at. */
  wasFoundAt(topic: Buffer, id: string): boolean {
    return this.#swarm?.peers.get(id)?.topics.some((one) => one.equals(topic)) ?? false;
  }

  /** A peer broke a rule: the connection ends, and enough of it bans the peer. */
  offence(connection: Connection, offence: Offence, context: Record<string, unknown>): void {
    connection.close(offence);
    this.blame(connection, offence, context);
  }

  /** A peer broke a rule that its connection may survive; a ban ends it all the same. */
  blame(connection: Connection, offence: Offence, context: Record<string, unknown>): void {
    this.refusals.note(offence, { peer: connection.id, ...connection.origin, ...context });
    if (connection.isProven) this.#gate.blame(connection.host, offence);
    this.bans.report(connection.id, offence);
  }

  /** The other end has shown that it is where it says. @returns whether there is a place for it; if not, the connection ends */
  admit(connection: Connection): boolean {
    if (connection.isProven) return true;
    const reason = this.#gate.admit(connection);
    if (reason) {
      this.#noteRefusal(reason, connection.id, { host: connection.host });
      connection.close(reason);
      return false;
    }
    connection.prove(this.#gate.crowdOf(connection));
    return true;
  }

  /** A request of a node, or to it, was answered and paid for. */
  useful(id: string): void {
    this.#gate.useful(id);
  }

  #drop(id: string): void {
    for (const connection of this.#connections) if (connection.id === id) connection.close('banned');
  }

  #refuses(id: string, host: string | undefined): boolean {
    if (id === this.identity.id) return true;
    const reason = this.#gate.refusesHandshake(id, host);
    if (reason) this.#noteRefusal(reason, id, { claimedHost: host });
    return reason !== undefined;
  }

  #mayBring(host: string): boolean {
    const may = this.#gate.mayBring(host);
    if (!may) this.refusals.note('too many handshakes', { host });
    return may;
  }

  #noteRefusal(reason: GateReason, peer: string, origin: { host?: string; claimedHost?: string | undefined }): void {
    this.refusals.note(reason, { peer, ...origin });
  }

  #connected(stream: NoiseStream): void {
    const connection = new Connection(stream, {
      budget: (id) => this.#budgets.of(id),
      reading: this.#reading,
      partial: this.#partial,
      helloTimeoutMs: this.limits.helloTimeoutMs,
      now: this.now,
      onNoHello: (isFault) => this.#noHello(connection, isFault),
      onAttack: (offence, detail) => this.offence(connection, offence, { detail }),
      onTooLong: () => this.#tooLong(connection),
      onExcess: (bytes) => this.#tooMuch(connection, bytes),
      onClose: (reason) => {
        this.#connections.delete(connection);
        this.#gate.leave(connection);
        this.#log.trace({ peer: connection.id, ...connection.origin, reason }, 'disconnected');
      },
    });
    const reason = this.#gate.enter(connection);
    if (reason) {
      this.#noteRefusal(reason, connection.id, connection.origin);
      connection.close(reason);
      return;
    }
    this.#connections.add(connection);
    for (const member of this.#members) this.#join(member, connection);
  }

  #join(member: Member, connection: Connection): void {
    connection.mux.pair({ protocol: member.name, id: member.topic }, () => member.join(connection, true));
    member.join(connection, false);
  }

  /** No offence: whoever can put bytes on the way of a connection can do this in its name. */
  #tooLong(connection: Connection): void {
    this.refusals.note('too many bytes', { peer: connection.id, ...connection.origin, detail: 'encrypted message' });
    connection.close('too many bytes');
  }

  /** It said more than its share, and more than can wait: no offence, unless it goes on and on. */
  #tooMuch(connection: Connection, bytes: number): void {
    const detail = { detail: 'unread', bytes };
    if (!connection.budget.mayWaste(bytes)) this.offence(connection, 'too many bytes', detail);
    else {
      this.refusals.note('too much to read', { peer: connection.id, ...connection.origin, ...detail });
      connection.close('too much to read');
    }
  }

  #noHello(connection: Connection, isFault: boolean): void {
    if (isFault) this.offence(connection, 'no hello', {});
    else connection.close('no network in common');
  }

  /** Where no DHT node has ever answered there is nobody to take leave of. */
  get #leaveMs(): number {
    return this.#swarm && this.#swarm.dht.toArray({ limit: 1 }).length > 0 ? CLOSE_MS : 0;
  }

  async #close(): Promise<void> {
    this.#ignoreBans();
    for (const connection of this.#connections) connection.close('this node is closing');
    const swarm = this.#swarm;
    if (!swarm) return;
    const leaving = swarm.destroy();
    await closeAll(
      () => atMost(this.#leaveMs, leaving),
      () => swarm.dht.destroy({ force: true }), // ends whatever still waits for an answer
      () => leaving.catch(ignoring('what failed in time was told')),
    );
  }
}

/** Resolves with the promise, or without it after so many milliseconds. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

/**
 * On the loopback interface a node needs its own address in `host`, and to know that nothing stands between it and the
 * others: taken for firewalled, it answers from a second socket, and between two processes mostly no data flows.
 */
function dhtOptions(bootstrap: Address[] | undefined) {
  if (!bootstrap?.length) return {};
  const nodes = bootstrap.map(({ host, port }) => ({ host: host === 'localhost' ? '127.0.0.1' : host, port }));
  const local = nodes.every(({ host }) => host.startsWith('127.'));
  return local ? { bootstrap: nodes, host: '127.0.0.1', firewalled: false } : { bootstrap: nodes };
}
