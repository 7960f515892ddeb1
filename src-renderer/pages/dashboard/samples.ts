import type { Sample } from '../../../src-preload/contract/node.ts';

/** Fifteen minutes, a sample a second: the charts show no more, and nothing older is held. */
export const KEPT_SAMPLES = 900;

/**
 * What is kept after new samples came. A stream that is opened again begins with all it remembers, and a clock can be set
 * back: what was kept from the first new one's time on is replaced.
 */
export function withNew(kept: readonly Sample[], fresh: readonly Sample[]): Sample[] {
  const [first] = fresh;
  if (!first) return kept.slice(-KEPT_SAMPLES);
  const before = kept.filter(({ at }) => at < first.at);
  return [...before, ...fresh].slice(-KEPT_SAMPLES);
}

/** Samples by figure, as charts want them. */
export interface Columns {
  times: number[];
  tokensPerSecond: number[];
  active: number[];
  waiting: number[];
  health: (number | null)[];
}

export function columnsOf(samples: readonly Sample[]): Columns {
  return {
    times: samples.map(({ at }) => at),
    tokensPerSecond: samples.map(({ tokensPerSecond }) => tokensPerSecond),
    active: samples.map(({ active }) => active),
    waiting: samples.map(({ waiting }) => waiting),
    health: samples.map(({ health }) => health),
  };
}
