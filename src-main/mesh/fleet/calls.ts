import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { Call, type FleetCall } from './call.ts';
import { CALLS_NETWORK, type CallMessage, MAX_CALL_FRAME } from './messages.ts';
import { pairedNetwork } from './paired-network.ts';
import type { PairedNodes } from './paired-nodes.ts';

export type { FleetCall } from './call.ts';

/** Milliseconds between two tries to open the channel with those who are connected and have refused it: they may have just started. */
const TRY_EVERY_MS = 3_000;
/** Calls that one node may have begun here at a time, and may begin a second, and at once. */
const MAX_CALLS = 16;
const BEGINS = { perSecond: 2, burst: 32 };

export interface FleetCallsOptions {
  swarm: MeshSwarm;
  nodes: PairedNodes;
  log: Logger;
  /** See TRY_EVERY_MS. Default 3,000. */
  tellEveryMs?: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/**
 * What domains of this program say to themselves on other nodes of the same owner, in calls: one node begins, both speak, either hangs up. Nobody else is
 * spoken with, and a pairing that ends ends its calls at once. A resource.
 */
export class FleetCalls {
  readonly #options: FleetCallsOptions;
  readonly #now: () => number;
  readonly #network: MeshNetwork<CallMessage>;
  readonly #listeners = new Map<string, (call: FleetCall) => void>();
  /** By peer, then by the call's id. */
  readonly #calls = new Map<Peer<CallMessage>, Map<string, Call>>();
  readonly #begun = new BucketMap();
  #unfollow: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FleetCallsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { swarm, nodes, log } = options;
    this.#network = pairedNetwork({ ...CALLS_NETWORK, swarm, nodes, log });
  }

  async open(): Promise<void> {
    const { nodes, tellEveryMs = TRY_EVERY_MS } = this.#options;
    this.#unfollow = [
      nodes.subscribe((id, isPaired) => (isPaired ? this.#network.openMore() : this.#part(id))),
      this.#network.follow(
        (peer) => this.#welcome(peer),
        (peer) => this.#left(peer),
      ),
    ];
    await this.#network.open();
    this.#timer = setInterval(() => this.#network.openMore(), tellEveryMs);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#network.close();
    for (const end of this.#unfollow) end();
  }

  /** @throws NOT_RUNNING when the node is away, or (and then it is not retryable) not paired */
  call(id: string, about: string): FleetCall {
    const peer = this.#network.peers.get(id);
    const calls = peer && this.#calls.get(peer);
    if (!calls || !this.#options.nodes.has(id)) {
      const node = this.#options.nodes.get(id);
      const message = say('fleet.away', { name: node?.name ?? '' });
      throw new QuarryError({ code: 'NOT_RUNNING', message, retryable: node !== undefined });
    }
    const call = this.#add(peer, calls, randomBytes(16).toString('hex'), true);
    peer.send({ v: PROTOCOL_VERSION, type: 'call-begin', id: call.id, about });
    return call;
  }

  onCall(about: string, listener: (call: FleetCall) => void): () => void {
    this.#listeners.set(about, listener);
    return () => {
      if (this.#listeners.get(about) === listener) this.#listeners.delete(about);
    };
  }

  #welcome(peer: Peer<CallMessage>): void {
    // Who has not heard yet that they are no pair hears it elsewhere; who is being paired comes again.
    if (!this.#options.nodes.has(peer.id)) {
      peer.close('not paired');
      return;
    }
    this.#calls.set(peer, new Map());
    peer.onMessage((message) => this.#take(peer, message));
  }

  #left(peer: Peer<CallMessage>): void {
    const calls = this.#calls.get(peer);
    this.#calls.delete(peer);
    const forGood = !this.#options.nodes.has(peer.id);
    for (const call of calls?.values() ?? []) call.end(forGood);
  }

  #part(id: string): void {
    this.#network.peers.get(id)?.close('not paired');
  }

  #take(peer: Peer<CallMessage>, message: CallMessage): void {
    const calls = this.#calls.get(peer);
    if (!calls) return;
    const call = calls.get(message.id);
    if (message.type === 'call-begin') this.#begin(peer, calls, message);
    else if (!call)
      this.#idle(peer); // it was on its way when this side hung up
    else if (message.type === 'call-say') call.take(message.message);
    else call.end(false);
  }

  #begin(
    peer: Peer<CallMessage>,
    calls: Map<string, Call>,
    { id, about }: Extract<CallMessage, { type: 'call-begin' }>,
  ): void {
    if (calls.has(id)) {
      peer.offend('protocol error', 'a call that is under way');
      return;
    }
    const now = this.#now();
    const isTooFast = !this.#begun.get(peer.id, BEGINS.perSecond, BEGINS.burst, now)?.take(1, now);
    if (isTooFast) this.#idle(peer);
    const theirs = [...calls.values()].filter(({ isOurs }) => !isOurs).length;
    const listener = this.#listeners.get(about);
    if (isTooFast || !listener || theirs >= MAX_CALLS) {
      peer.send({ v: PROTOCOL_VERSION, type: 'call-end', id });
      return;
    }
    listener(this.#add(peer, calls, id, false));
  }

  #idle(peer: Peer<CallMessage>): void {
    if (!peer.connection.budget.mayIdle(MAX_CALL_FRAME)) peer.offend('too many frames', 'calls');
  }

  #add(peer: Peer<CallMessage>, calls: Map<string, Call>, id: string, isOurs: boolean): Call {
    const name = this.#options.nodes.get(peer.id)?.name ?? '';
    const call = new Call({ id, isOurs, peer, name, onEnd: () => calls.delete(id) });
    calls.set(id, call);
    return call;
  }
}
