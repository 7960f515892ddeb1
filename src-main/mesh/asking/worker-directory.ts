import { Changes } from '../../base/changes.ts';
import { isAuthentic } from '../transport/envelope.ts';
import type { InferenceMessage, Status } from '../transport/messages.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { CoolDown } from './cool-down.ts';
import type { Candidate } from './selection.ts';

/** A status older than this (three beats and some) says nothing about now. */
const STALE_MS = 35_000;

/** A worker that this node is connected to. */
export interface KnownWorker {
  readonly peer: Peer<InferenceMessage>;
  /** Its last signed status, and when it came; undefined until the first one. */
  status: Status | undefined;
  statusAt: number;
  /** Requests of this client in flight that were sent after its last status: it cannot have counted them. */
  readonly uncounted: Set<string>;
  answered: number;
  failed: number;
}

/** Keeps the workers in reach and what they say of themselves. */
export class WorkerDirectory {
  readonly coolDown = new CoolDown();
  readonly #network: MeshNetwork<InferenceMessage>;
  readonly #now: () => number;
  readonly #workers = new Map<string, KnownWorker>();
  readonly #changes = new Changes();
  readonly #onPeer = (peer: Peer<InferenceMessage>) => this.#add(peer);
  readonly #onLeave = (peer: Peer<InferenceMessage>) => this.#remove(peer);

  constructor(network: MeshNetwork<InferenceMessage>, now: () => number) {
    this.#network = network;
    this.#now = now;
  }

  open(): void {
    for (const peer of this.#network.peers.values()) this.#add(peer);
    this.#network.on('peer', this.#onPeer);
    this.#network.on('leave', this.#onLeave);
  }

  close(): void {
    this.#network.off('peer', this.#onPeer);
    this.#network.off('leave', this.#onLeave);
    this.#changes.tell();
  }

  get(id: string): KnownWorker | undefined {
    return this.#workers.get(id);
  }

  list(): KnownWorker[] {
    return [...this.#workers.values()];
  }

  /** Workers whose status is fresh, as selection wants them. */
  candidates(): Candidate[] {
    const now = this.#now();
    return this.list().flatMap((worker) => {
      const { status, statusAt, uncounted, answered, failed, peer } = worker;
      if (!status || now - statusAt > STALE_MS) return [];
      const queue = withSent(status.queue, uncounted.size);
      const asked = answered + failed;
      return [
        {
          id: peer.id,
          status: { ...status, queue },
          rttMs: peer.rttMs,
          successRate: asked ? answered / asked : undefined,
        },
      ];
    });
  }

  /** Resolves when something about the workers changes, the time is over, or the signal aborts. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#changes.after(this.#changes.count, signal, timeoutMs);
  }

  #add(peer: Peer<InferenceMessage>): void {
    if (!peer.roles.includes('worker')) return;
    const worker = { peer, status: undefined, statusAt: 0, uncounted: new Set<string>(), answered: 0, failed: 0 };
    this.#workers.set(peer.id, worker);
    peer.onMessage((message) => {
      if (message.type === 'status') this.#heard(worker, message);
    });
  }

  #heard(worker: KnownWorker, status: Status): void {
    const { peer } = worker;
    if (status.from !== peer.id || !isAuthentic(status)) {
      peer.offend('wrong signature', 'status');
      return;
    }
    if (worker.status && status.seq <= worker.status.seq) return;
    worker.status = status;
    worker.statusAt = this.#now();
    worker.uncounted.clear();
    this.#changes.tell();
  }

  #remove(peer: Peer<InferenceMessage>): void {
    if (this.#workers.get(peer.id)?.peer === peer) this.#workers.delete(peer.id);
    this.#changes.tell();
  }
}

/** The queue as it will be when the worker has taken in what was sent: free places first, then waiting. */
function withSent(queue: Status['queue'], sent: number): Status['queue'] {
  const running = Math.min(Math.max(queue.parallel, queue.running), queue.running + sent);
  return { ...queue, running, waiting: queue.waiting + sent - (running - queue.running) };
}
