import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ActivityRecorder, KEPT_MS, MINUTE_MS } from '../../../src-main/activity/recorder.ts';
import type { ActivityState } from '../../../src-main/activity/state.ts';
import { ActivityStore } from '../../../src-main/store/activity.ts';
import type { Db } from '../../../src-main/store/database.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

/** A whole minute. */
const NINE = Date.UTC(2026, 10, 20, 9);
const FULL: ActivityState = { share: 1, gap: undefined, model: 'tiny' };
const PAUSED: ActivityState = { share: 0, gap: { kind: 'paused', rule: 'user' }, model: 'tiny' };
const SLOWED: ActivityState = { share: 0.5, gap: { kind: 'throttled', rule: 'battery' }, model: 'tiny' };

let db: Db;
let store: ActivityStore;
let now: number;
let state: ActivityState;
let refused: number;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new ActivityStore(db);
  [now, state, refused] = [NINE, FULL, 0];
});
afterEach(() => db.destroy());

async function opened(): Promise<ActivityRecorder> {
  const log = pino({ level: 'silent' });
  const recorder = new ActivityRecorder({ store, read: () => state, refused: () => refused, now: () => now, log });
  await recorder.open();
  return recorder;
}

/** Goes on for so many seconds, with a look every five. */
function live(recorder: ActivityRecorder, seconds: number): void {
  for (let passed = 0; passed < seconds; passed += 5) {
    now += 5_000;
    recorder.look();
  }
}

describe('a recorder', () => {
  it('writes a row a minute, of what was done in it', async () => {
    const recorder = await opened();
    recorder.done({ tokens: 90 });
    recorder.done({ answers: 1, points: 7 });
    recorder.used(1_500.4);
    live(recorder, 60);
    recorder.done({ tokens: 30 });
    live(recorder, 30);
    expect(recorder.current()).toMatchObject({ at: NINE + MINUTE_MS, on_ms: 30_000, tokens: 30 });
    await recorder.close();
    expect(await store.minutes(NINE)).toEqual([
      {
        ...{ at: NINE, model: 'tiny', seen: NINE + 60_000, on_ms: 60_000, serving_ms: 60_000 },
        ...{ tokens: 90, answers: 1, points: 7, busy: 0, joules: 1_500 },
      },
      expect.objectContaining({ at: NINE + MINUTE_MS, seen: NINE + 90_000, on_ms: 30_000, tokens: 30 }),
    ]);
    expect(await store.lastSeen()).toBe(NINE + 90_000);
  });

  it('counts time by how fast the node could serve in it, refusals and energy only then', async () => {
    const recorder = await opened();
    live(recorder, 20);
    refused += 2;
    live(recorder, 5);
    state = SLOWED;
    recorder.look();
    live(recorder, 20);
    state = PAUSED;
    recorder.look();
    refused += 40;
    recorder.used(90_000);
    live(recorder, 15);
    await recorder.close();
    expect(await store.minutes(NINE)).toMatchObject([
      { on_ms: 60_000, serving_ms: 25_000 + 10_000, busy: 2, joules: 0 },
    ]);
  });

  it('keeps the minutes of each model apart', async () => {
    const recorder = await opened();
    live(recorder, 20);
    state = { ...FULL, model: 'other' };
    recorder.look();
    live(recorder, 10);
    await recorder.close();
    const minutes = await store.minutes(NINE);
    expect(minutes.map(({ model, on_ms }) => [model, on_ms])).toEqual([
      ['other', 10_000],
      ['tiny', 20_000],
    ]);
  });

  it('writes down each time in which mining was not at full speed, from the moment that it began', async () => {
    const recorder = await opened();
    live(recorder, 10);
    state = PAUSED;
    recorder.look();
    live(recorder, 100);
    state = SLOWED;
    recorder.look();
    live(recorder, 30);
    state = FULL;
    recorder.look();
    live(recorder, 10);
    await recorder.close();
    expect(await store.gaps(NINE)).toEqual([
      { began: NINE + 10_000, ended: NINE + 110_000, kind: 'paused', rule: 'user' },
      { began: NINE + 110_000, ended: NINE + 140_000, kind: 'throttled', rule: 'battery' },
    ]);
  });

  it('takes a computer that slept for one that was off', async () => {
    const recorder = await opened();
    state = PAUSED;
    recorder.look();
    live(recorder, 30);
    now += 3_600_000;
    state = FULL;
    recorder.look();
    await recorder.close();
    const woke = NINE + 30_000 + 3_600_000;
    expect(await store.gaps(NINE)).toEqual([
      { began: NINE, ended: NINE + 30_000, kind: 'paused', rule: 'user' },
      { began: NINE + 30_000, ended: woke, kind: 'off', rule: null },
    ]);
    expect(await store.minutes(NINE)).toMatchObject([{ on_ms: 30_000, serving_ms: 0 }]);
  });

  it('goes on when the clock was set back', async () => {
    const recorder = await opened();
    live(recorder, 30);
    now -= 7_200_000;
    recorder.look();
    live(recorder, 10);
    await recorder.close();
    const minutes = await store.minutes(0);
    expect(minutes.map(({ at, on_ms }) => [at, on_ms])).toEqual([
      [NINE - 7_200_000, 10_000],
      [NINE, 30_000],
    ]);
    expect(await store.gaps(0)).toEqual([]);
  });

  it('ends what the one before left open where that was last seen, and writes down that it was off', async () => {
    const killed = await opened();
    live(killed, 60);
    state = PAUSED;
    killed.look();
    live(killed, 90); // the last half minute is never written
    await expect.poll(async () => (await store.gaps(0)).length).toBe(1);
    await expect.poll(async () => (await store.minutes(0)).length).toBe(2);
    now += 600_000;
    state = FULL;
    const next = await opened();
    await next.close();
    expect(await store.gaps(0)).toEqual([
      { began: NINE + 60_000, ended: NINE + 120_000, kind: 'paused', rule: 'user' },
      { began: NINE + 120_000, ended: NINE + 750_000, kind: 'off', rule: null },
    ]);
  });

  it('does not take a start again for a time in which it was off', async () => {
    const first = await opened();
    live(first, 20);
    await first.close();
    now += 15_000;
    const second = await opened();
    live(second, 25);
    await second.close();
    expect(await store.gaps(0)).toEqual([]);
    expect(await store.minutes(0)).toMatchObject([{ at: NINE, on_ms: 45_000 }]);
  });

  it('forgets what is older than eight days, and all but the newest gaps', async () => {
    const minute = {
      model: '',
      seen: 0,
      on_ms: 1,
      serving_ms: 0,
      tokens: 0,
      answers: 0,
      points: 0,
      busy: 0,
      joules: 0,
    };
    await store.add({ ...minute, at: NINE - KEPT_MS - MINUTE_MS });
    await store.add({ ...minute, at: NINE - KEPT_MS + MINUTE_MS });
    for (let count = 0; count < 5; count++) {
      await store.begin({ began: count, ended: NINE - KEPT_MS - 1 + count, kind: 'stopped', rule: null });
    }
    await (await opened()).close();
    expect(await store.minutes(0)).toMatchObject([{ at: NINE - KEPT_MS + MINUTE_MS }]);
    expect((await store.gaps(0)).filter(({ kind }) => kind === 'stopped').map(({ began }) => began)).toEqual([
      1, 2, 3, 4,
    ]);
    await store.prune(0, 2);
    expect(await store.gaps(0)).toHaveLength(2);
  });

  it('closes although nothing can be written', async () => {
    const recorder = await opened();
    live(recorder, 30);
    store.add = () => Promise.reject(new Error('The disk is full.'));
    await recorder.close();
    await recorder.close();
    recorder.look();
    expect(await store.minutes(0)).toEqual([]);
  });
});
