import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareToday, daysTo } from '../../../../src-main/credits/earning/comparison.ts';
import { type CreditNode, DAY, openCreditNode, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';

const HOUR = 3_600_000;
/** Six in the evening where the machine stands. */
const NOW = new Date(2026, 10, 20, 18).getTime();
const NONE = { next: undefined, achievements: [] };

let node: CreditNode;
beforeEach(async () => {
  node = await openCreditNode(1);
});
afterEach(() => node.close());

let asker = 1;
/** So many answers of 10 points each. */
async function earn(at: number, answers: number): Promise<void> {
  node.clock.now = at;
  for (let count = 0; count < answers; count++) {
    await node.book.worker.settle(signedReceipt(node.identity, testIdentity(++asker), { servedAt: at }));
  }
}
/** A time of day, so many days ago, by the calendar. */
const ago = (days: number, hour: number) => new Date(2026, 10, 20 - days, hour).getTime();

describe('today against other days', () => {
  it('is held against the same weekdays, whole and up to this hour', async () => {
    await earn(ago(22, 12), 1); // the day on which it began: 5 points more for the first request
    await earn(ago(21, 12), 2);
    await earn(ago(14, 12), 4);
    await earn(ago(14, 20), 3);
    await earn(ago(7, 19), 1);
    await earn(ago(1, 12), 9);
    await earn(ago(0, 12), 1);
    // 20, 90 (with the bonus for ten fast ones) and 10 points; up to six o'clock 20, 40 and none. The day four weeks ago was before the first answer.
    expect(await compareToday(node.db, NOW, NONE)).toEqual({
      usual: { days: 3, points: 20, soFar: 20 },
      bestDay: { at: ago(1, 0), points: 90 },
      nextTier: undefined,
    });
  });

  it('is held against nothing on a young node', async () => {
    expect(await compareToday(node.db, NOW, NONE)).toEqual({
      usual: undefined,
      bestDay: undefined,
      nextTier: undefined,
    });
    await earn(ago(10, 12), 1);
    await earn(ago(7, 12), 1);
    const next = { tier: 'silver', missing: 80 };
    expect(await compareToday(node.db, NOW, { ...NONE, next })).toEqual({
      usual: undefined,
      bestDay: undefined,
      nextTier: { ...next, days: undefined },
    });
  });
});

describe('the days to the next tier', () => {
  const week = (points: number) => [{ at: NOW - 5 * DAY, points, requests: 1, spent: 0 }];
  const known = { now: NOW, week: week(200), first: NOW - 30 * DAY, achievements: [] };

  it('are at the rate of the last week, rounded up', () => {
    expect(daysTo(80, known)).toBe(2);
    expect(daysTo(81, known)).toBe(3);
    expect(daysTo(1, known)).toBe(1);
  });

  it('go by the days that there were, and leave out what comes once', () => {
    expect(daysTo(100, { ...known, first: NOW - 2 * DAY })).toBe(1);
    const achievements = [
      { bonus: 100, at: NOW - HOUR },
      { bonus: 500, at: NOW - 9 * DAY },
    ];
    expect(daysTo(80, { ...known, achievements })).toBe(4);
  });

  it('are not known without a day to go by, and where nothing came', () => {
    expect(daysTo(80, { ...known, first: NOW - 23 * HOUR })).toBeUndefined();
    expect(daysTo(80, { ...known, first: undefined })).toBeUndefined();
    expect(daysTo(80, { ...known, week: week(0) })).toBeUndefined();
  });
});
