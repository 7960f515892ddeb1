import { LRUCache } from 'lru-cache';
import { TokenBucket } from '../../../base/token-bucket.ts';
import type { Limits } from './limits.ts';

/** Nodes whose budgets are remembered, connected or not: more than there are connections. */
const NODES = 4_096;
/**
 * Bytes of frames that nobody wants, each with what it costs beside them, that one peer may send a second, and at once: what is on its
 * way when a request is cancelled comes all the same.
 */
const UNWANTED = { perSecond: 256 * 1024, burst: 8 * 1024 * 1024, frame: 256 };

/** What one peer may send on one network. */
export interface FrameBudget {
  frames: TokenBucket;
  bytes: TokenBucket;
}

/** What one peer may send. */
export interface PeerBudget {
  /** The budget of one network. */
  on(network: string): FrameBudget;
  /** Whether the peer may open one more channel now; counts it. */
  mayOpen(): boolean;
  /** Whether so many bytes of the peer may go unread, because there was too much to read; counts them. */
  mayWaste(bytes: number): boolean;
  /** Whether the peer may send one more frame of so many bytes that nobody wants; counts it. */
  mayIdle(bytes: number): boolean;
}

/** Budgets by node: who opens its channel anew, or comes back with a new connection, has no more than before. */
export class PeerBudgets {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #nodes = new LRUCache<string, PeerBudget>({ max: NODES });

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  of(nodeId: string): PeerBudget {
    const known = this.#nodes.get(nodeId);
    if (known) return known;
    const budget = newBudget(this.#limits, this.#now);
    this.#nodes.set(nodeId, budget);
    return budget;
  }
}

function newBudget(limits: Limits, now: () => number): PeerBudget {
  const networks = new Map<string, FrameBudget>();
  const opens = new TokenBucket(limits.opensPerSecond, limits.openBurst, now());
  const unwanted = new TokenBucket(UNWANTED.perSecond, UNWANTED.burst, now());
  const unread = new TokenBucket(limits.bytesPerSecond, limits.byteBurst, now());
  return {
    on(network) {
      const known = networks.get(network);
      if (known) return known;
      const frames = new TokenBucket(limits.framesPerSecond, limits.frameBurst, now());
      const bytes = new TokenBucket(limits.bytesPerSecond, limits.byteBurst, now());
      networks.set(network, { frames, bytes });
      return { frames, bytes };
    },
    mayOpen: () => opens.take(1, now()),
    mayWaste: (bytes) => unread.take(bytes, now()),
    mayIdle: (bytes) => unwanted.take(bytes + UNWANTED.frame, now()),
  };
}
