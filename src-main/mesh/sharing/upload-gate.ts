import type Hypercore from 'hypercore';
import type { BlockRequest, CorePeer } from 'hypercore';
import { TokenBucket } from '../../base/token-bucket.ts';
import { BLOCK_BYTES } from './file-core.ts';

/** Requests of one peer that are answered at the same time; bounds the blocks in memory. */
const AT_ONCE = 16;
/** Requests of one peer that may wait. An honest Hypercore has at most 512 on their way. */
const MAX_WAITING = 1_024;
/** Seconds' worth of the cap that may go out at once. */
const BURST_SECONDS = 0.1;

/** One peer's requests for blocks of one core. */
interface Lane {
  peer: CorePeer;
  waiting: BlockRequest[];
  running: number;
  answer: (request: BlockRequest) => Promise<void>;
}

/**
 * Decides when a block goes out: never faster than the cap over all peers, in turn among them, and only to who reads. It
 * stands before Hypercore's replicator, not in the stream: what else the connection carries (hello, pings) never waits.
 */
export class UploadGate {
  readonly #now: () => number;
  readonly #lanes = new Map<CorePeer, Lane>();
  #bytesPerSecond: number | null;
  /** Bytes that may go out; undefined without a cap. A block goes out whole, and the next one waits for its debt. */
  #allowance: TokenBucket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param bytesPerSecond all peers and cores together; null: no cap
   * @param now milliseconds
   */
  constructor(bytesPerSecond: number | null, now: () => number = () => performance.now()) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#now = now;
    this.#allowance = this.#freshAllowance();
  }

  /** All peers and cores together; null: no cap. */
  get bytesPerSecond(): number | null {
    return this.#bytesPerSecond;
  }

  /** Another cap from now on. @param bytesPerSecond null: none */
  limit(bytesPerSecond: number | null): void {
    this.#bytesPerSecond = bytesPerSecond;
    this.#allowance = this.#freshAllowance();
    this.#pump();
  }

  /** Takes charge of whatever is asked of a core from now on. */
  guard(core: Hypercore): void {
    core.on('peer-add', (peer) => this.#enter(peer));
    core.on('peer-remove', (peer) => this.#lanes.delete(peer));
  }

  /** Nothing goes out any more. Idempotent. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#lanes.clear();
  }

  #enter(peer: CorePeer): void {
    const lane: Lane = { peer, waiting: [], running: 0, answer: peer.onrequest.bind(peer) };
    const cancel = peer.oncancel.bind(peer);
    const drained = peer.ondrain.bind(peer);
    this.#lanes.set(peer, lane);
    // What the mux gets back it would wait for, corked: so it gets nothing.
    peer.onrequest = async (request) => (request.block ? this.#queue(lane, request) : await lane.answer(request));
    peer.oncancel = (message) => {
      lane.waiting = lane.waiting.filter(({ id }) => id !== message.request);
      cancel(message);
    };
    peer.ondrain = async () => {
      await drained();
      this.#pump();
    };
  }

  #queue(lane: Lane, request: BlockRequest): void {
    lane.waiting.push(request);
    if (lane.waiting.length > MAX_WAITING) lane.peer.protomux.destroy(new Error('too many requests'));
    else this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    for (let lane = this.#next(); lane; lane = this.#next()) {
      const wait = this.#allowance?.waitMs(0, this.#now()) ?? 0;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#pump(), wait);
        return;
      }
      this.#answer(lane);
    }
  }

  /** Whose turn it is: the lanes are in the order in which they were last served. */
  #next(): Lane | undefined {
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length > 0 && lane.running < AT_ONCE && lane.peer.protomux.drained) return lane;
    }
    return undefined;
  }

  #answer(lane: Lane): void {
    const request = lane.waiting.shift();
    if (!request) return;
    this.#lanes.delete(lane.peer);
    this.#lanes.set(lane.peer, lane);
    this.#allowance?.spend(BLOCK_BYTES, this.#now());
    lane.running++;
    lane
      .answer(request)
      .catch((error: Error) => lane.peer.protomux.destroy(error))
      .finally(() => {
        lane.running--;
        this.#pump();
      });
  }

  /** Empty and without debt: what went out before is not to be waited for. */
  #freshAllowance(): TokenBucket | undefined {
    const rate = this.#bytesPerSecond;
    return rate === null ? undefined : new TokenBucket(rate, rate * BURST_SECONDS, this.#now(), 0);
  }
}
