import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src-preload/contract/node.ts';
import { columnsOf, KEPT_SAMPLES, withNew } from '../../../src-renderer/pages/dashboard/samples.ts';
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

  it('become columns that are equally long, with gaps where nothing was measured', () => {
    const columns = columnsOf([sample(1, 4), sample(2, 5)]);
    expect(columns).toEqual({
      times: [1, 2],
      tokensPerSecond: [4, 5],
      active: [1, 1],
      waiting: [2, 2],
      health: [null, null],
    });
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
