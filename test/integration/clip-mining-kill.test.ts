import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src-main/base/sha256.ts';
import { ClipFolder } from '../../src-main/clips/kept/clip-folder.ts';
import { ClipJobStore } from '../../src-main/store/clips/clip-jobs.ts';
import { ClipStore } from '../../src-main/store/clips/clips.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { spansOf } from '../support/clip-world.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/clip-mining-child.ts', import.meta.url));
const KILLS = 10 * ROUNDS;
const VIDEOS = 12 * ROUNDS;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-clip-kill-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** @param killAfterMs after it is open; undefined: it comes to its end @returns whether it did */
async function mine(killAfterMs: number | undefined): Promise<boolean> {
  const child = startChild(CHILD, [join(dir, 'quarry.db'), join(dir, 'clips'), String(VIDEOS)]);
  const lines = createInterface({ input: child.stdout });
  let ended = false;
  lines.on('line', (line) => {
    const said = JSON.parse(line);
    ended ||= said.ended === true;
    if (said.opened && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return ended;
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

it(`mining that is killed ${KILLS} times has each clip once, no other file, and counts its bytes right`, {
  tags: ['long'],
}, async () => {
  for (let kill = 0; kill < KILLS; kill++) await mine(7 + ((kill * 37) % 150));
  expect(await mine(undefined)).toBe(true);
  const db = await openDatabase(join(dir, 'quarry.db'));
  const [jobs, clips, folder] = [new ClipJobStore(db), new ClipStore(db), new ClipFolder(join(dir, 'clips'))];
  const all = await jobs.page({ limit: 1_000 });
  expect(all.map(({ state, bytes }) => [state, bytes])).toEqual(all.map(() => ['done', 0]));
  const wanted = Array.from({ length: VIDEOS }, (_, at) =>
    spansOf(12 + 30 * (at % 4)).map(({ from }) => `video-${at} ${from}`),
  ).flat();
  const rows = await clips.page({}, undefined, 10_000);
  expect(rows.map(({ video, from_s }) => `${video} ${from_s}`).sort()).toEqual(wanted.sort());
  expect(all.reduce((sum, job) => sum + job.clips, 0)).toBe(wanted.length);
  expect((await jobs.order())?.made).toBe(wanted.length);
  const files = rows.flatMap((row) => [folder.video(row), folder.poster(row.clip)]);
  expect(await filesIn(join(dir, 'clips'))).toEqual(files.sort());
  for (const row of rows) expect(sha256(await readFile(folder.video(row))).toString('hex')).toBe(row.sha256);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  expect((await clips.sums()).bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  for (const row of rows)
    expect(Object.keys(await clips.vectors(row.clip, 'world@1')).sort()).toEqual(['described-seen', 'heard', 'seen']);
  await db.destroy();
});
