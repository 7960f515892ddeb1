import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandsOf, pointsOf, readHistory } from '../../../src-main/activity/history.ts';
import { type ActivityMinute, ActivityStore, type Gap } from '../../../src-main/store/activity.ts';
import {
  activityHistorySchema,
  GAP_KINDS,
  HISTORY_RANGES,
  MOST_BANDS,
  POLICY_RULES,
} from '../../../src-preload/contract/activity.ts';
import { DAY, NOON, openCreditNode, signedReceipt, testIdentity } from '../../support/credit-nodes.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

const minute = (at: number, tokens: number, on_ms = 60_000): ActivityMinute => {
  return {
    at,
    model: 'tiny',
    seen: at + on_ms,
    on_ms,
    serving_ms: on_ms,
    tokens,
    answers: 0,
    points: 0,
    busy: 0,
    joules: 0,
  };
};
const HOUR = 3_600_000;
/** A chart in which a band of a second is seen. */
const CHART = { from: 0, to: 400_000, bucketMs: 100_000 };
const gap = (began: number, ended: number | null, kind: Gap['kind'] = 'stopped', rule: Gap['rule'] = null): Gap => {
  return { began, ended, kind, rule };
};
const spans = (gaps: Gap[]) => bandsOf(gaps, CHART).map(({ from, to }) => [from, to]);

describe('the points of a chart', () => {
  it('are averages over the time that the node was on, and none where it was off', () => {
    const minutes = [minute(0, 600), minute(60_000, 1_200), minute(300_000, 100, 20_000)];
    const points = pointsOf(minutes, { from: 0, to: 600_000, bucketMs: 120_000 });
    expect(points).toEqual([
      { at: 0, tokensPerSecond: 15 },
      { at: 120_000, tokensPerSecond: null },
      { at: 240_000, tokensPerSecond: 5 },
      { at: 360_000, tokensPerSecond: null },
      { at: 480_000, tokensPerSecond: null },
    ]);
  });

  it('pass over what lies outside', () => {
    const points = pointsOf([minute(-60_000, 60), minute(120_000, 60)], { from: 0, to: 60_000, bucketMs: 60_000 });
    expect(points).toEqual([{ at: 0, tokensPerSecond: null }]);
  });
});

describe('the bands of a chart', () => {
  it('are cut to it, and open ones last until now', () => {
    expect(bandsOf([gap(-5_000, 10_000), gap(300_000, null, 'paused', 'heat')], CHART)).toEqual([
      expect.objectContaining({ from: 0, to: 10_000, open: false, kind: 'stopped', reason: 'Stopped' }),
      {
        ...{ from: 300_000, to: 400_000, open: true, kind: 'paused', rule: 'heat', reason: 'Paused: too hot' },
        said: { reason: { key: 'activity.pausedFor', params: { why: { key: 'activity.rule.heat' } } } },
      },
    ]);
  });

  it('are one where they are alike and close, none where nobody would see them', () => {
    expect(spans([gap(0, 5_000), gap(5_500, 9_000), gap(20_000, 30_000)])).toEqual([
      [0, 9_000],
      [20_000, 30_000],
    ]);
    expect(spans([gap(0, 5_000), gap(5_500, 9_000, 'alone')])).toEqual([
      [0, 5_000],
      [5_500, 9_000],
    ]);
    expect(spans([gap(0, 999), gap(50_000, 51_000)])).toEqual([[50_000, 51_000]]);
    expect(spans([gap(399_990, null)])).toEqual([[399_990, 400_000]]);
  });

  it('of any log are few, in order, inside, and worded', () => {
    const log = fc.array(
      fc.record({
        pause: fc.nat(5_000),
        length: fc.nat(9_000),
        kind: fc.constantFrom(...GAP_KINDS),
        rule: fc.constantFrom(null, ...POLICY_RULES),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(log, (entries) => {
        let at = -50_000;
        const gaps = entries.map(({ pause, length, kind, rule }) => {
          const began = at + pause;
          at = began + length;
          return gap(began, at, kind, rule);
        });
        const bands = bandsOf(
          gaps.filter(({ ended }) => (ended ?? 0) > 0),
          CHART,
        );
        expect(bands.length).toBeLessThanOrEqual(MOST_BANDS);
        let end = CHART.from;
        for (const { from, to, reason } of bands) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(reason).not.toMatch(/activity\.|\{/);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(CHART.to);
      }),
    );
  });
});

describe('the history', () => {
  it('fits the contract at any moment, with a row for every minute', async () => {
    const db = await memoryDatabase();
    const store = new ActivityStore(db);
    const start = NOON - 8 * DAY;
    const rows = Array.from({ length: (8 * DAY) / 60_000 }, (_, index) => minute(start + index * 60_000, index % 90));
    for (let at = 0; at < rows.length; at += 1_000) {
      await db
        .insertInto('activity_minutes')
        .values(rows.slice(at, at + 1_000))
        .execute();
    }
    for (const range of HISTORY_RANGES) {
      for (const now of [NOON, NOON + 1, NOON + 59_999, NOON + 899_999]) {
        const history = activityHistorySchema.parse(await readHistory(range, now, { db, store }));
        const { points, bucketMs, from, to } = history;
        expect(points).toHaveLength(Math.ceil((to - from) / bucketMs));
        expect(points.slice(0, -15).every(({ tokensPerSecond }) => tokensPerSecond !== null)).toBe(true);
        expect(from % bucketMs).toBe(0);
      }
    }
    await db.destroy();
  });

  it('has what runs, and what was paid: a short chart by moments, a long one by quarters and hours; bonuses are no payments', async () => {
    const node = await openCreditNode(1);
    const store = new ActivityStore(node.db);
    const pay = async (at: number) => {
      node.clock.now = at;
      await node.book.worker.settle(signedReceipt(node.identity, testIdentity(2), { servedAt: at }));
    };
    await pay(NOON - 26 * HOUR);
    await pay(NOON - 2 * HOUR);
    await pay(NOON - 2 * HOUR + 60_000);
    await pay(NOON - 4_000);
    await pay(NOON - 1_000);
    const running = minute(NOON - 60_000, 300, 30_000);
    const read = (range: '15m' | '24h' | '7d') => readHistory(range, NOON, { db: node.db, store, running });
    const short = await read('15m');
    expect(short.points.at(-1)).toEqual({ at: NOON - 60_000, tokensPerSecond: 10 });
    expect(short.payments).toEqual([{ at: NOON - 5_000, points: 20, answers: 2 }]);
    expect((await read('24h')).payments).toEqual([
      { at: NOON - 2 * HOUR, points: 20, answers: 2 },
      { at: NOON - 900_000, points: 20, answers: 2 },
    ]);
    expect((await read('7d')).payments).toEqual([
      // Without the bonus for the first request.
      { at: NOON - 26 * HOUR, points: 10, answers: 1 },
      { at: NOON - 2 * HOUR, points: 20, answers: 2 },
      { at: NOON - HOUR, points: 20, answers: 2 },
    ]);
    await node.close();
  });
});
