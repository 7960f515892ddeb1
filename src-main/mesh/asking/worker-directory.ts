import { BucketMap } from '../../base/token-bucket.ts';
import type { InferenceMessage, Status } from '../inference/messages.ts';
import { isAuthentic } from '../transport/envelope.ts';
import type { MeshNetwork } from '../transport/network.ts';
import type { Peer } from '../transport/peer.ts';
import { KnownWorker } from './known-worker.ts';

/** A status older than this (three beats and some) says nothing about now. */
const STALE_MS = 35_000;
/** How often a worker is listened to a second, and at once. It should say how it is twice a second at most, and what it owes once. */
const PACES = { status: { perSecond: 4, burst: 32 }, terms: { perSecond: 1, burst: 4 } };
const ANSWERS: readonly unknown[] = [
  ...['queue-status', 'chunk', 'inference_result', 'inference_error'],
  ...['clip-piece', 'clip-end'],
];

/** Keeps the workers in reach and what they say of themselves. */
export class WorkerDirectory {
  readonly #network: MeshNetwork<InferenceMessage>;
  readonly #now: () => number;
  readonly #onStatus: (worker: KnownWorker) => void;
  readonly #onTerms: (worker: KnownWorker) => void;
  readonly #workers = new Map<string, KnownWorker>();
  /** By worker, connected or not, and what it says. */
  readonly #said = new BucketMap();
  #unfollow = () => {};

  /** @param options `onStatus`: a worker said how it is now; `onTerms`: what it owes */
  constructor(options: {
    network: MeshNetwork<InferenceMessage>;
    now: () => number;
    onStatus: (worker: KnownWorker) => void;
    onTerms: (worker: KnownWorker) => void;
  }) {
    this.#network = options.network;
    this.#now = options.now;
    this.#onStatus = options.onStatus;
    this.#onTerms = options.onTerms;
  }

  open(): void {
    this.#unfollow = this.#network.follow(
      (peer) => this.#add(peer),
      (peer) => this.#remove(peer),
    );
  }

  close(): void {
    this.#unfollow();
  }

  list(): KnownWorker[] {
    return [...this.#workers.values()];
  }

  /** Workers whose status is fresh. */
  *candidates(): Generator<KnownWorker, void, undefined> {
    const oldest = this.#now() - STALE_MS;
    for (const worker of this.#workers.values()) if (worker.status && worker.statusAt >= oldest) yield worker;
  }

  /** Whether the worker is still there. */
  has(worker: KnownWorker): boolean {
    return this.#workers.get(worker.id) === worker;
  }

  #add(peer: Peer<InferenceMessage>): void {
    const worker = peer.sides.includes('worker') ? new KnownWorker(peer) : undefined;
    peer.screen((frame) => this.#isWanted(frame, worker));
    if (!worker) return;
    this.#workers.set(peer.id, worker);
    peer.onMessage((message) => {
      if (message.type === 'status') this.#heard(worker, message);
      else if (message.type === 'terms') {
        worker.terms = message;
        this.#onTerms(worker);
      }
    });
  }

  /** What a worker says too often, or again, and answers that nobody awaits are not read: the schema and the signature cost the most. */
  #isWanted(frame: Record<string, unknown>, worker: KnownWorker | undefined): boolean {
    const { type, seq, requestId } = frame;
    if (type === 'status' || type === 'terms') {
      const isOld = type === 'status' && typeof seq === 'number' && seq <= (worker?.status?.seq ?? -1);
      return worker !== undefined && !isOld && this.#maySay(worker, type);
    }
    if (!ANSWERS.includes(type)) return true;
    const awaited = worker?.awaits(requestId as string);
    if (type === 'chunk' && !awaited?.logprobs) delete frame.logprobs;
    return awaited !== undefined;
  }

  #maySay({ id }: KnownWorker, type: keyof typeof PACES): boolean {
    const [now, { perSecond, burst }] = [this.#now(), PACES[type]];
    return this.#said.get(`${type} ${id}`, perSecond, burst, now)?.take(1, now) ?? false;
  }

  #heard(worker: KnownWorker, status: Status): void {
    const { peer } = worker;
    if (status.from !== peer.id || !isAuthentic(status)) {
      peer.offend('wrong signature', 'status');
      return;
    }
    if (worker.status && status.seq <= worker.status.seq) return;
    worker.heard(status, this.#now());
    if (this.has(worker)) this.#onStatus(worker);
  }

  #remove(peer: Peer<InferenceMessage>): void {
    if (this.#workers.get(peer.id)?.peer === peer) this.#workers.delete(peer.id);
  }
}
