import { expect, it, onTestFinished } from 'vitest';
import { readMined } from '../../../src-main/activity/mined.ts';
import { midnights } from '../../../src-main/base/days.ts';
import { ActivityStore } from '../../../src-main/store/activity.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

const MINUTE = 60_000;
const NOON = new Date(2026, 5, 10, 12).getTime();

it('what was mined is that of today and of seven days, with the minute that is not written yet', async () => {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  const store = new ActivityStore(db);
  const minute = (at: number, servingMs: number, joules: number) => {
    const rest = { model: 'tiny', seen: at + MINUTE, on_ms: MINUTE, tokens: 0, answers: 0, points: 0, busy: 0 };
    return { at, serving_ms: servingMs, joules, ...rest };
  };
  const [first = 0, ...days] = midnights(NOON, 7);
  const today = days.at(-1) ?? 0;
  await store.add(minute(first - MINUTE, 1_000, 1));
  await store.add(minute(first, 2_000, 10));
  await store.add(minute(today - MINUTE, 4_000, 100));
  await store.add(minute(today, 8_000, 1_000));
  expect(await readMined(NOON, store, undefined)).toEqual({
    today: { servingMs: 8_000, joules: 1_000 },
    week: { servingMs: 14_000, joules: 1_110 },
  });
  expect(await readMined(NOON, store, minute(NOON, 16_000, 10_000))).toEqual({
    today: { servingMs: 24_000, joules: 11_000 },
    week: { servingMs: 30_000, joules: 11_110 },
  });
  const late = await readMined(today + 24 * 60 * MINUTE, store, minute(today, 1, 1));
  expect(late.today, 'a minute of before midnight is none of today').toEqual({ servingMs: 0, joules: 0 });
});
