import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { NodeSummary } from '../../../src-preload/contract/fleet.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { FLEET_NETWORK, type FleetMessage, MAX_FLEET_FRAME, type OrderResult } from './messages.ts';
import { pairedNetwork } from './paired-network.ts';
import type { PairedNodes } from './paired-nodes.ts';
import { fromWords, toWords } from './summary-words.ts';

/** Milliseconds between two looks whether there is anything new to tell. */
const TELL_EVERY_MS = 3_000;
/** Milliseconds between two tries to reach those that are away: Hyperswarm alone would wait ten minutes in the end. */
const TRY_EVERY_MS = 30_000;
/** Milliseconds in which a node answers an order. */
const ANSWER_MS = 15_000;
/** Milliseconds until a connection ends that has told the other side that they are not paired: it has to be read first. */
const TOLD_MS = 2_000;
/** Messages of one node a second, and at once: an honest one has one in three seconds, and one for each order. What is more is passed over. */
const HEARD = { perSecond: 1, burst: 20 };

export interface FleetLinksOptions {
  swarm: MeshSwarm;
  nodes: PairedNodes;
  /** How this node is now. */
  summary: () => Promise<NodeSummary>;
  /** Does what a paired node that may do so has asked for. @returns whether this node can mine at all */
  order: (want: 'start' | 'stop') => boolean;
  /** Something that people see has changed. */
  onChange: () => void;
  log: Logger;
  /** Milliseconds between two summaries. Default 3,000. */
  tellEveryMs?: number;
  /** Milliseconds between two tries to reach those that are away. Default 30,000. */
  tryEveryMs?: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/**
 * The connections of nodes that are paired: each tells the other how it is, and does what its owner has allowed the other one. Who somebody is, is
 * known from the connection; whoever is not paired hears that, and nothing else. A resource.
 */
export class FleetLinks {
  readonly #options: FleetLinksOptions;
  readonly #now: () => number;
  readonly #network: MeshNetwork<FleetMessage>;
  readonly #heard = new BucketMap();
  /** Who may be started and stopped from here, by its own word. */
  readonly #controllable = new Map<string, boolean>();
  /** What each was told last, as JSON. */
  readonly #told = new Map<Peer<FleetMessage>, string>();
  /** What those said that came before this node was sure of them: they say it once. */
  readonly #early = new Map<Peer<FleetMessage>, FleetMessage>();
  readonly #orders = new Map<string, { peer: Peer<FleetMessage>; done: (result: OrderResult | undefined) => void }>();
  readonly #timers: NodeJS.Timeout[] = [];
  #unfollow: (() => void)[] = [];
  #telling: Promise<void> | undefined;

  constructor(options: FleetLinksOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { swarm, nodes, log } = options;
    this.#network = pairedNetwork({ ...FLEET_NETWORK, swarm, nodes, log });
  }

  async open(): Promise<void> {
    const { nodes, swarm, tellEveryMs = TELL_EVERY_MS, tryEveryMs = TRY_EVERY_MS } = this.#options;
    this.#unfollow = [
      nodes.subscribe((id, isPaired) => (isPaired ? this.#meet(id) : this.#part(id))),
      this.#network.follow(
        (peer) => this.#welcome(peer),
        (peer) => this.#left(peer),
      ),
    ];
    await this.#network.open();
    for (const { nodeId } of nodes.list()) swarm.expect(nodeId);
    this.#timers.push(setInterval(() => this.#pulse(), tellEveryMs));
    this.#timers.push(setInterval(() => this.#tryAgain(), tryEveryMs));
  }

  /** Idempotent. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const end of this.#unfollow) end();
    for (const { done } of this.#orders.values()) done(undefined);
    await this.#network.close();
    await this.#telling;
  }

  isOnline(id: string): boolean {
    return this.#network.peers.has(id) && this.#options.nodes.has(id);
  }

  mayControl(id: string): boolean {
    return this.isOnline(id) && (this.#controllable.get(id) ?? false);
  }

  /** Tells those who are there how this node is, where that is news. While it is being found out, waits for that. */
  async tell(): Promise<void> {
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
    });
    await this.#telling;
  }

  /** Has a node start or stop mining. @returns what became of it; undefined when it is away or does not answer */
  async order(id: string, want: 'start' | 'stop'): Promise<OrderResult | undefined> {
    const peer = this.#network.peers.get(id);
    if (!peer || !this.#options.nodes.has(id)) return undefined;
    const order = randomBytes(16).toString('hex');
    const { promise, resolve } = Promise.withResolvers<OrderResult | undefined>();
    this.#orders.set(order, { peer, done: resolve });
    const timer = setTimeout(resolve, ANSWER_MS, undefined);
    peer.send({ v: PROTOCOL_VERSION, type: 'mining-order', id: order, want });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#orders.delete(order);
    }
  }

  #meet(id: string): void {
    this.#options.swarm.expect(id);
    this.#network.openMore();
    this.#options.onChange();
    const peer = this.#network.peers.get(id);
    if (!peer) return;
    this.#greet(peer); // it has come before this node was sure of it
    const early = this.#early.get(peer);
    this.#early.delete(peer);
    if (early) this.#heed(peer, early);
  }

  #part(id: string): void {
    this.#options.swarm.unexpect(id);
    const peer = this.#network.peers.get(id);
    if (peer) this.#sendAway(peer);
    this.#options.onChange();
  }

  #welcome(peer: Peer<FleetMessage>): void {
    peer.onMessage((message) => this.#take(peer, message));
    const { nodes } = this.#options;
    if (nodes.has(peer.id)) this.#greet(peer);
    else if (!nodes.isComing(peer.id)) this.#sendAway(peer); // one that is coming is greeted, or sent away, when that is known
  }

  #greet(peer: Peer<FleetMessage>): void {
    this.#options.nodes.seen(peer.id, this.#now());
    this.#options.onChange();
    this.#told.delete(peer);
    void (this.#telling ?? Promise.resolve()).then(() => this.tell());
  }

  #left(peer: Peer<FleetMessage>): void {
    const { nodes, onChange } = this.#options;
    this.#told.delete(peer);
    this.#early.delete(peer);
    for (const order of this.#orders.values()) if (order.peer === peer) order.done(undefined);
    if (!nodes.has(peer.id)) return;
    nodes.seen(peer.id, Math.min(this.#now(), peer.connection.heardAt));
    onChange();
  }

  /** Whoever is not paired may know that. It is no offence: the other side may not have heard yet. */
  #sendAway(peer: Peer<FleetMessage>): void {
    this.#controllable.delete(peer.id);
    peer.send({ v: PROTOCOL_VERSION, type: 'unpaired' });
    const timer = setTimeout(() => {
      if (!this.#options.nodes.has(peer.id)) peer.close('not paired');
    }, TOLD_MS);
    this.#timers.push(timer);
    peer.on('close', () => this.#timers.splice(this.#timers.indexOf(timer), 1));
    peer.on('close', () => clearTimeout(timer));
  }

  #take(peer: Peer<FleetMessage>, message: FleetMessage): void {
    const { nodes } = this.#options;
    const now = this.#now();
    if (!this.#heard.get(peer.id, HEARD.perSecond, HEARD.burst, now)?.take(1, now)) {
      if (!peer.connection.budget.mayIdle(MAX_FLEET_FRAME)) peer.offend('too many frames', 'fleet');
      return;
    }
    if (nodes.has(peer.id)) this.#heed(peer, message);
    else if (nodes.isComing(peer.id) && message.type === 'node-summary') this.#early.set(peer, message);
  }

  #heed(peer: Peer<FleetMessage>, message: FleetMessage): void {
    if (message.type === 'node-summary') {
      this.#options.nodes.heard(peer.id, fromWords(message.summary), this.#now());
      this.#controllable.set(peer.id, message.control);
      this.#options.onChange();
    } else if (message.type === 'mining-order') {
      this.#obey(peer, message);
    } else if (message.type === 'mining-answer') {
      const order = this.#orders.get(message.id);
      if (order?.peer === peer) order.done(message.result);
    } else {
      this.#forget(peer);
    }
  }

  #obey(peer: Peer<FleetMessage>, { id, want }: Extract<FleetMessage, { type: 'mining-order' }>): void {
    const { nodes, order, log } = this.#options;
    const isAllowed = nodes.get(peer.id)?.mayControl ?? false;
    const result = !isAllowed ? 'not-allowed' : order(want) ? 'accepted' : 'no-miner';
    log.info({ peer: peer.id, want, result }, 'a paired node asked to start or stop mining');
    peer.send({ v: PROTOCOL_VERSION, type: 'mining-answer', id, result });
  }

  #forget(peer: Peer<FleetMessage>): void {
    const { nodes, log } = this.#options;
    log.info({ peer: peer.id }, 'a paired node is not paired with this one any more');
    nodes.remove(peer.id).catch((err: unknown) => log.warn({ err }, 'a pairing could not be removed'));
  }

  /** A node that has just started may have refused the channel: it was connected before it was ready for it. */
  #pulse(): void {
    this.#network.openMore();
    void this.tell();
  }

  #tryAgain(): void {
    const { nodes, swarm } = this.#options;
    for (const { nodeId } of nodes.list()) if (!this.isOnline(nodeId)) swarm.expect(nodeId);
  }

  async #tell(): Promise<void> {
    const { nodes, summary, log } = this.#options;
    const there = [...this.#network.peers.values()].filter(({ id, queuedBytes }) => nodes.has(id) && queuedBytes === 0);
    if (there.length === 0) return;
    try {
      const now = await summary();
      for (const peer of there) this.#send(peer, now);
    } catch (err) {
      log.warn({ err }, 'paired nodes could not be told how this one is');
    }
  }

  #send(peer: Peer<FleetMessage>, summary: NodeSummary): void {
    const control = this.#options.nodes.get(peer.id)?.mayControl;
    if (control === undefined) return;
    const text = JSON.stringify([summary, control]);
    if (this.#told.get(peer) === text) return;
    this.#told.set(peer, text);
    peer.send({ v: PROTOCOL_VERSION, type: 'node-summary', summary: toWords(summary), control });
  }
}
