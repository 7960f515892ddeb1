import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClipFolder, clipId } from '../../../../src-main/clips/kept/clip-folder.ts';
import { cleanUp } from '../../../../src-main/clips/mining/clean-up.ts';
import { ClipJobStore, type NewJob } from '../../../../src-main/store/clips/clip-jobs.ts';
import { ClipStore } from '../../../../src-main/store/clips/clips.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let path: string;
beforeEach(async () => {
  db = await memoryDatabase();
  path = await mkdtemp(join(tmpdir(), 'quarry-clean-up-'));
});
afterEach(async () => {
  await db.destroy();
  await rm(path, { recursive: true, force: true });
});

const job = (video: string, more: Partial<NewJob>): NewJob => ({
  ...{ source: 'commons', video, title: video, topic: 'cats', found: '{}', is_ordered: 0, reason: null, tries: 0 },
  ...{ due_at: 0, bytes: 0, url: null, spans: null, next_span: 0, clips: 0, created_at: 0, changed_at: 0 },
  ...{ state: 'waiting', ...more },
});

it('deletes what a killed process left that nobody knows of, and counts the rest as it is', async () => {
  const [jobs, clips, folder] = [new ClipJobStore(db), new ClipStore(db), new ClipFolder(path)];
  await folder.open();
  const spans = [
    { from: 0, to: 10 },
    { from: 10, to: 20 },
  ];
  await jobs.add([
    job('cutting', { state: 'cutting', bytes: 7, spans: JSON.stringify(spans), next_span: 1 }),
    job('done', { state: 'done' }),
    job('failed', { state: 'failed', bytes: 99 }),
    job('lost', { state: 'failed', bytes: 50 }),
  ]);
  for (const number of [1, 2, 3]) await writeFile(folder.fetched(number), 'four');
  for (const beside of ['1.video.note', '2.video.note', '3.video.mp4.part', 'half.webm'])
    await writeFile(join(path, 'work', beside), 'x');
  const stray = { clip: clipId({ source: 'commons', id: 'cutting' }, { from: 10, to: 20 }), container: 'webm' };
  await mkdir(dirname(folder.video(stray)), { recursive: true });
  await writeFile(folder.video(stray), 'in its place, and not written down');
  await writeFile(folder.poster(stray.clip), 'x');
  await db
    .insertInto('clips_gone')
    .values({ clip: 'ab'.repeat(16), container: 'mp4' })
    .execute();
  const gone = { clip: 'ab'.repeat(16), container: 'mp4' };
  await mkdir(dirname(folder.video(gone)), { recursive: true });
  await writeFile(folder.video(gone), 'x');
  await cleanUp({ jobs, clips, folder });
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(['1.video', '1.video.note', '3.video', '3.video.mp4.part']);
  expect((await jobs.page({ limit: 9 })).map(({ bytes }) => bytes)).toEqual([0, 4, 0, 4]);
  expect((await jobs.sums()).bytes).toBe(8);
  expect(await clips.gone()).toEqual([]);
});

it('writes little where much was left: each write waits for the disk, and the start for all of them', async () => {
  const [jobs, clips, folder] = [new ClipJobStore(db), new ClipStore(db), new ClipFolder(path)];
  await folder.open();
  await jobs.add(Array.from({ length: 50 }, (_, at) => job(`waiting ${at}`, { bytes: 4 })));
  for (let number = 1; number <= 50; number++) await writeFile(folder.fetched(number), 'four');
  const gone = Array.from({ length: 450 }, (_, at) => ({ clip: `${at}`.padStart(32, '0'), container: 'mp4' }));
  await db.insertInto('clips_gone').values(gone).execute();
  await mkdir(dirname(folder.video(gone[449]!)), { recursive: true });
  await writeFile(folder.video(gone[449]!), 'x');
  const writes: string[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind !== 'SelectQueryNode') writes.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await cleanUp({ jobs: new ClipJobStore(watched), clips: new ClipStore(watched), folder });
  expect(writes).toEqual(['DeleteQueryNode', 'DeleteQueryNode', 'DeleteQueryNode']);
  expect(await clips.gone()).toEqual([]);
  expect((await readdir(path, { recursive: true })).filter((name) => name.endsWith('.mp4'))).toEqual([]);
  expect((await jobs.sums()).bytes).toBe(200);
});
