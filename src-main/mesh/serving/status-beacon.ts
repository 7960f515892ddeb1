import type { InferenceMessage, Status } from '../inference/messages.ts';
import { signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { MeshNetwork } from '../transport/network.ts';

/** A worker's state, without what the beacon adds. */
export type WorkerState = Omit<Status, 'v' | 'type' | 'id' | 'ts' | 'from' | 'sig' | 'seq'>;

export interface StatusBeaconOptions {
  network: MeshNetwork<InferenceMessage>;
  identity: Identity;
  read: () => WorkerState;
  /** Milliseconds between two statuses when nothing changes. Default 10,000. */
  intervalMs?: number;
  /** Fewest milliseconds between two. Default 500. */
  minGapMs?: number;
  now: () => number;
}

/** Tells every peer how this worker is: on a beat, when it changes, and to each newcomer. */
export class StatusBeacon {
  readonly #options: StatusBeaconOptions;
  #unfollow = () => {};
  #beat: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #seq = 0;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: StatusBeaconOptions) {
    this.#options = options;
  }

  open(): void {
    const { network, intervalMs = 10_000, now } = this.#options;
    this.#sentAt = now();
    this.#unfollow = network.follow((peer) => void peer.send(this.#compose()));
    this.#beat = setInterval(() => this.#broadcast(), intervalMs);
  }

  /** Something changed: a status goes out now, or as soon as the gap since the last one allows. */
  touch(): void {
    if (!this.#beat || this.#soon) return;
    const { minGapMs = 500, now } = this.#options;
    const wait = Math.max(0, this.#sentAt + minGapMs - now());
    this.#soon = setTimeout(() => this.#broadcast(), wait);
  }

  close(): void {
    this.#unfollow();
    clearInterval(this.#beat);
    clearTimeout(this.#soon);
    this.#beat = undefined;
  }

  #broadcast(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#sentAt = this.#options.now();
    const status = this.#compose();
    for (const peer of this.#options.network.peers.values()) peer.send(status);
  }

  #compose(): Status {
    const { identity, read, now } = this.#options;
    return signEvidence<Status>({ ...read(), type: 'status', seq: this.#seq++ }, identity, now());
  }
}
