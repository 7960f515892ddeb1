import { EventEmitter } from 'node:events';
import type { NodeStatus } from '../../src-preload/contract/node.ts';
import type { Booking } from '../credits/credits.ts';
import type { Receipt } from '../credits/receipt.ts';
import type { WorkObserver } from '../mesh/serving/queue/job.ts';

/** Requests that the figures of speed are of. */
const KEPT = 20;

type Speed = NonNullable<NodeStatus['speed']>;

export interface MeshWorkEvents {
  /** A request was served and both sides signed for it. */
  booked: [receipt: Receipt, booking: Booking];
  /** A request got its first token, so many milliseconds after it arrived. */
  firstToken: [ms: number];
  /** So many tokens more were generated. */
  tokens: [count: number];
}

/** What this node did for the mesh since its start, for whoever shows it or waits for it; the worker tells it. */
export class MeshWork extends EventEmitter<MeshWorkEvents> {
  readonly speed = new RecentSpeed();
  /** Since the start: requests that both sides signed for, and their tokens. */
  readonly served = { requests: 0, tokens: 0 };
  readonly observer: WorkObserver = {
    firstToken: (ms) => this.emit('firstToken', ms),
    tokens: (count) => this.emit('tokens', count),
    served: (result) => this.speed.add(result),
  };

  /** Counts a request that both sides signed for, and tells of it. */
  readonly book = (receipt: Receipt, booking: Booking): void => {
    this.served.requests++;
    this.served.tokens += receipt.body.completionTokens;
    this.emit('booked', receipt, booking);
  };
}

/** How fast this node served its last requests. */
export class RecentSpeed {
  readonly #served: Speed[] = [];

  add({ tokensPerSecond, firstTokenMs }: Speed): void {
    this.#served.push({ tokensPerSecond, firstTokenMs });
    if (this.#served.length > KEPT) this.#served.shift();
  }

  /** Averages; undefined before the first request. An answer of a single token has no tokens per second. */
  average(): Speed | undefined {
    if (this.#served.length === 0) return undefined;
    const speeds = this.#served.map(({ tokensPerSecond }) => tokensPerSecond).filter((speed) => speed > 0);
    return {
      tokensPerSecond: mean(speeds),
      firstTokenMs: mean(this.#served.map(({ firstTokenMs }) => firstTokenMs)),
    };
  }
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
