import type { NodeStatus } from '../../../src-preload/contract/node.ts';

/** Requests that the figures are of. */
const KEPT = 20;

type Speed = NonNullable<NodeStatus['speed']>;

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
