import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHistory } from '../../src-main/activity/history.ts';
import { ActivityRecorder, MINUTE_MS } from '../../src-main/activity/recorder.ts';
import { type ActivityMinute, ActivityStore, type Gap } from '../../src-main/store/activity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/activity-child.ts', import.meta.url));
const KILLS = 3 * ROUNDS;
/** A minute in which the child is not paused. */
const NINE = Date.UTC(2026, 10, 20, 9);

type Report = ({ kept: 'minute' } & ActivityMinute) | ({ kept: 'gap' } & Gap);

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-activity-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a child live from a time on until it is killed, some milliseconds after its third row. @returns what was on the disk by its word */
async function liveUntilKilled(path: string, begin: number, afterMs: number): Promise<Report[]> {
  const child = startChild(CHILD, [path, String(begin)]);
  const reports: Report[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    reports.push(JSON.parse(line));
    if (reports.filter(({ kept }) => kept === 'minute').length === 3) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  if (process.platform === 'win32') expect(child.exitCode).not.toBe(0);
  else expect(child.signalCode).toBe('SIGKILL');
  return reports;
}

it(`a miner killed ${KILLS} times finds its history: every minute that was over, and no time that is open`, async () => {
  const path = join(dir, 'activity.db');
  let begin = NINE;
  for (let kill = 0; kill < KILLS; kill++) {
    const reports = await liveUntilKilled(path, begin, kill * 37);
    const db = await openDatabase(path);
    const store = new ActivityStore(db);
    const minutes = await store.minutes(begin);
    for (const report of reports) {
      if (report.kept !== 'minute') continue;
      const { kept: _, ...minute } = report;
      expect(minutes).toContainEqual(minute);
    }
    const seen = (await store.lastSeen()) ?? 0;
    expect(minutes.map(({ at }) => at)).toEqual(minutes.map((_, index) => begin + index * MINUTE_MS));

    // The next start, an hour later.
    const now = seen + 3_600_000;
    const state = { share: 1, gap: undefined, model: 'tiny' };
    const log = pino({ level: 'silent' });
    const next = new ActivityRecorder({ store, read: () => state, refused: () => 0, now: () => now, log });
    await next.open();
    await next.close();
    const gaps = await store.gaps(begin - 1);
    expect(gaps.every(({ ended }) => ended !== null)).toBe(true);
    expect(gaps.at(-1)).toEqual({ began: seen, ended: now, kind: 'off', rule: null });
    const begun = reports.filter(({ kept }) => kept === 'gap').map((report) => (report as Gap).began);
    expect(gaps.map(({ began }) => began)).toEqual(expect.arrayContaining(begun));

    const { points, bands } = await readHistory('24h', now, { db, store });
    expect(points.filter(({ tokensPerSecond }) => tokensPerSecond !== null).length).toBeGreaterThan(0);
    expect(bands.at(-1)).toMatchObject({ kind: 'off', from: seen, to: now });
    await db.destroy();
    begin = Math.ceil(now / (2 * MINUTE_MS)) * 2 * MINUTE_MS;
  }
});
