import { describe, expect, it } from 'vitest';
import type { ActivityHistory } from '../../../src-preload/contract/activity.ts';
import type { Sample } from '../../../src-preload/contract/node.ts';
import { KEPT_SAMPLES, newestOf, speedLine, withNew } from '../../../src-renderer/pages/dashboard/samples.ts';
import { tierProgress } from '../../../src-renderer/pages/dashboard/tier-progress.ts';

const sample = (at: number, tokensPerSecond = 0): Sample => ({
  at,
  tokensPerSecond,
  active: 1,
  waiting: 2,
  health: null,
  peers: 3,
  firstTokenMs: null,
});
const times = (samples: readonly Sample[]) => samples.map(({ at }) => at);

describe('samples of the live charts', () => {
  it('are appended', () => expect(times(withNew([sample(1), sample(2)], [sample(3)]))).toEqual([1, 2, 3]));

  it('are never more than fifteen minutes of them, however long they come', () => {
    let kept: Sample[] = [];
    for (let at = 0; at < 3 * KEPT_SAMPLES; at++) kept = withNew(kept, [sample(at)]);
    expect(kept).toHaveLength(KEPT_SAMPLES);
    expect(kept.at(-1)?.at).toBe(3 * KEPT_SAMPLES - 1);
    expect(
      withNew(
        [],
        Array.from({ length: 2_000 }, (_, at) => sample(at)),
      ),
    ).toHaveLength(KEPT_SAMPLES);
  });

  it('replace what was kept when the stream begins anew with all it remembers', () => {
    const again = withNew([sample(1), sample(2), sample(3)], [sample(2, 9), sample(3), sample(4)]);
    expect(times(again)).toEqual([1, 2, 3, 4]);
    expect(again[1]?.tokensPerSecond).toBe(9);
  });

  it('go on when the clock was set back', () => {
    expect(times(withNew([sample(100), sample(200)], [sample(150)]))).toEqual([100, 150]);
  });

  it('keep what there is when an empty batch comes', () => expect(times(withNew([sample(1)], []))).toEqual([1]));
});

describe('the line of the chart', () => {
  const history: ActivityHistory = {
    range: '24h',
    from: 0,
    to: 100_000,
    bucketMs: 50_000,
    points: [
      { at: 0, tokensPerSecond: 4 },
      { at: 50_000, tokensPerSecond: null },
    ],
    bands: [],
    payments: [],
    paymentMs: 1_000,
  };

  it('has a point in the middle of each stretch, and a gap where the node was off', () => {
    expect(speedLine(history, undefined)).toEqual({ times: [25_000, 75_000], values: [4, null], from: 0, to: 100_000 });
  });

  it('ends at the newest sample while it is live, and begins fifteen minutes before', () => {
    const line = speedLine({ ...history, range: '15m', points: [] }, [sample(1_000_000, 4), sample(1_001_000, 5)]);
    expect(line).toEqual({ times: [1_000_000, 1_001_000], values: [4, 4.5], from: 101_000, to: 1_001_000 });
    expect(newestOf(line)).toBe(4.5);
  });

  it('spreads a burst over ten seconds, and forgets it after them', () => {
    const burst = Array.from({ length: 30 }, (_, second) =>
      sample(1_000_000 + second * 1_000, second === 10 ? 900 : 0),
    );
    const { values } = speedLine({ ...history, range: '15m', points: [] }, burst);
    expect([values[9], values[10], values[19], values[20], values[29]]).toEqual([0, 90, 90, 0, 0]);
  });

  it('begins with what was written down before the node started', () => {
    const { times, values } = speedLine({ ...history, range: '15m' }, [sample(90_000, 7)]);
    expect([times, values]).toEqual([
      [25_000, 90_000],
      [4, 7],
    ]);
  });
});

describe('the way to the next tier', () => {
  it('is the share of the points between both', () => {
    expect(tierProgress({ points: 750, tierFrom: 500, next: { tier: 'platinum', missing: 750 } })).toBe(0.25);
    expect(tierProgress({ points: 0, tierFrom: 0, next: { tier: 'bronze', missing: 1 } })).toBe(0);
  });

  it('is whole at the highest', () => expect(tierProgress({ points: 12_000, tierFrom: 10_000 })).toBe(1));

  it('is never below nothing', () => {
    expect(tierProgress({ points: -5, tierFrom: 0, next: { tier: 'bronze', missing: 6 } })).toBe(0);
  });
});
