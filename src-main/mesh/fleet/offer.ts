import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import { PROTOCOL_VERSION } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import type { MeshSwarm } from '../transport/swarm.ts';
import { CodeKeys } from './code-keys.ts';
import type { PairingMessage } from './messages.ts';
import type { PairedNodes } from './paired-nodes.ts';
import { bindingTo, pairingNetwork } from './pairing-network.ts';

/** Milliseconds in which whoever came to the code's place has to show that he knows it. */
const PROVE_MS = 5_000;
const KEEP_MS = 5_000;

export interface OfferOptions {
  code: string;
  /** Unix milliseconds. */
  expiresAt: number;
  /** Whether the node that uses it may start and stop mining here. */
  mayControl: boolean;
  /** What this node is called. */
  name: string;
  nodes: PairedNodes;
  swarm: MeshSwarm;
  /** A node has used it: the pairing is kept here, and the other one has had the time to keep it. */
  onPaired: (id: string) => void;
  log: Logger;
  /** Milliseconds that the other node may take to keep the pairing, before this one counts on it. Default 5,000. */
  keepMs?: number | undefined;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/**
 * A code that is shown here, waiting for one node. Whoever comes to its place says first that he knows it, by a proof that is bound to this very
 * connection; who cannot is banned as anybody who gives a wrong proof, and the code waits on. A resource.
 */
export class PairingOffer {
  readonly expiresAt: number;
  readonly #options: OfferOptions;
  readonly #keys: CodeKeys;
  readonly #network: MeshNetwork<PairingMessage>;
  readonly #tasks = new TaskSet();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The node that has used it. */
  #usedBy: string | undefined;

  constructor(options: OfferOptions) {
    this.#options = options;
    this.expiresAt = options.expiresAt;
    this.#keys = new CodeKeys(options.code);
    this.#network = pairingNetwork('host', { swarm: options.swarm, keys: this.#keys, log: options.log });
  }

  async open(): Promise<void> {
    this.#network.follow((peer) => this.#welcome(peer));
    await this.#network.open();
  }

  /** Nobody can use it any more. Idempotent. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#network.close();
    await this.#tasks.ended();
  }

  #welcome(peer: Peer<PairingMessage>): void {
    const late = this.#after(PROVE_MS, () => peer.close('did not show that it knows the code'));
    let asked = false;
    peer.onMessage((message) => {
      if (message.type === 'pair-done' && this.#usedBy === peer.id) return;
      if (message.type !== 'pair-request' || asked) return peer.offend('protocol error', 'pairing');
      asked = true;
      this.#cancel(late);
      const isProof = this.#keys.isProof(message.proof, 'request', bindingTo(peer, 'host', this.#self));
      if (!isProof) return peer.offend('wrong proof', 'pairing');
      void this.#tasks.add(this.#take(peer, message.name)).catch((err: unknown) => this.#failed(peer, err));
    });
  }

  /** One node, once. On this disk first: the other keeps nothing before it has heard that, so what breaks off here leaves nothing there. */
  async #take(peer: Peer<PairingMessage>, name: string): Promise<void> {
    const { nodes, mayControl, now = Date.now } = this.#options;
    if (this.#usedBy !== undefined || now() >= this.expiresAt) return this.#refuse(peer, 'used');
    if (!nodes.hasRoomFor(peer.id)) return this.#refuse(peer, 'full');
    this.#usedBy = peer.id;
    const kept = this.#kept(peer);
    try {
      await nodes.add({ id: peer.id, name, mayControl, now: now() }, { quietly: true });
    } catch (error) {
      this.#usedBy = undefined;
      throw error;
    }
    const proof = this.#keys.proof('accept', bindingTo(peer, 'host', this.#self));
    peer.send({ v: PROTOCOL_VERSION, type: 'pair-accept', name: this.#options.name, proof });
    await kept;
    nodes.settle(peer.id);
    this.#options.onPaired(peer.id);
  }

  /** Resolves when the other one has kept the pairing, is gone, or takes too long: whether it has, it says when they meet again. */
  #kept(peer: Peer<PairingMessage>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    peer.onMessage((message) => message.type === 'pair-done' && resolve());
    peer.on('close', () => resolve());
    this.#after(this.#options.keepMs ?? KEEP_MS, resolve);
    return promise;
  }

  #refuse(peer: Peer<PairingMessage>, reason: 'used' | 'full'): void {
    const proof = this.#keys.proof('refuse', bindingTo(peer, 'host', this.#self));
    peer.send({ v: PROTOCOL_VERSION, type: 'pair-refuse', reason, proof });
  }

  #failed(peer: Peer<PairingMessage>, err: unknown): void {
    this.#options.log.warn({ err, peer: peer.id }, 'a pairing could not be kept');
    peer.close('the pairing could not be kept');
  }

  get #self(): string {
    return this.#options.swarm.identity.id;
  }

  #after(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }
}
