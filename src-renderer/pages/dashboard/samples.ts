import type { ActivityHistory } from '../../../src-preload/contract/activity.ts';
import type { Sample } from '../../../src-preload/contract/node.ts';

/** Fifteen minutes, a sample a second: the chart shows no more, and nothing older is held. */
export const KEPT_SAMPLES = 900;
const SPAN_MS = KEPT_SAMPLES * 1_000;
/** One burst of a fast model would flatten all else: each point is the average up to it of so many milliseconds. */
const AVERAGED_MS = 10_000;

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

export interface Line {
  /** Unix milliseconds, rising. */
  times: number[];
  /** Tokens a second; null where the node was off. */
  values: (number | null)[];
  from: number;
  to: number;
}

/** For each sample the average of those in the time before it, itself included. */
function averages(samples: readonly Sample[]): number[] {
  let [first, sum] = [0, 0];
  return samples.map(({ at, tokensPerSecond }, index) => {
    sum += tokensPerSecond;
    for (; (samples[first]?.at ?? at) <= at - AVERAGED_MS; first++) sum -= samples[first]?.tokensPerSecond ?? 0;
    return Math.max(0, sum / (index - first + 1));
  });
}

/** How fast the node served, over what the chart spans. @param live samples of the last minutes, where those are shown */
export function speedLine(history: ActivityHistory, live: readonly Sample[] | undefined): Line {
  if (!live) {
    const { points, bucketMs, from, to } = history;
    return {
      times: points.map(({ at }) => Math.min(to, at + bucketMs / 2)),
      values: points.map(({ tokensPerSecond }) => tokensPerSecond),
      from,
      to,
    };
  }
  const to = Math.max(history.to, live.at(-1)?.at ?? 0);
  // What was before the node started is known by the minute.
  const first = live[0]?.at ?? to;
  const before = history.points.filter(({ at }) => at + history.bucketMs <= first);
  return {
    times: [...before.map(({ at }) => at + history.bucketMs / 2), ...live.map(({ at }) => at)],
    values: [...before.map(({ tokensPerSecond }) => tokensPerSecond), ...averages(live)],
    from: to - SPAN_MS,
    to,
  };
}

/** What the line stands at: where its dot is. */
export function newestOf({ values }: Line): number {
  return values.findLast((value) => value !== null) ?? 0;
}
