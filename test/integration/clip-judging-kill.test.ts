/** @module-tag long */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClipSubmissionStore } from '../../src-main/store/clips/clip-submissions.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { ClipLook } from '../../src-main/subnets/omega/clips/checking/look-closely.ts';
import { media, SPACE, source } from '../support/judged-clips.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/clip-judge-child.ts', import.meta.url));
const KILLS = 6 * ROUNDS;

interface Said {
  opened?: true;
  judged?: number;
  score?: number;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-clip-judging-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a validator judge until it is killed, some milliseconds after so many answers. */
async function judgeUntilKilled(answers: number, afterMs: number): Promise<Said[]> {
  const child = startChild(CHILD, [join(dir, 'quarry.db'), join(dir, 'fetched')]);
  const said: Said[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    said.push(JSON.parse(line));
    if (said.filter(({ judged }) => judged !== undefined).length === answers)
      setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return said;
}

it(`a validator that is killed ${KILLS} times while it judges has each answer once, with its vectors, and leaves no file`, async () => {
  const judged = new Map<number, number>();
  for (let kill = 0; kill < KILLS; kill++) {
    for (const { judged: nth, score } of await judgeUntilKilled(3 + 4 * kill, kill % 5)) {
      if (nth === undefined || score === undefined) continue;
      expect(score).toBe(judged.get(nth) ?? score); // what is judged again is worth the same
      judged.set(nth, score);
    }
    const db = await openDatabase(join(dir, 'quarry.db'));
    const submissions = new ClipSubmissionStore(db);
    const kept = await submissions.list({ role: 'received', rows: 100 });
    expect(new Set(kept.map(({ key }) => key)).size).toBe(kept.length);
    for (const nth of judged.keys()) expect(kept.map(({ key }) => Number(key))).toContain(nth);
    const vectors = await submissions.vectors({ space: SPACE, kind: 'videos', after: null, rows: 1_000 });
    expect(vectors).toHaveLength(8 * kept.length);
    await db.destroy();
  }
  expect(judged.size).toBeGreaterThan(10);
  const folder = join(dir, 'fetched');
  await new ClipLook({ source: () => source, media, folder }).open();
  expect(existsSync(folder) ? await readdir(folder) : []).toEqual([]);
});
