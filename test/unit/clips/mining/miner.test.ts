import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { fetchLimits } from '../../../../src-main/clips/reading/fetch-limits.ts';
import type { NewJob } from '../../../../src-main/store/clips/clip-jobs.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { foundVideo, openClipWorld, WorldMedia, type WorldOptions, WorldSource } from '../../../support/clip-world.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

let db: Db;
let folder: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  db = await memoryDatabase();
  folder = await mkdtemp(join(tmpdir(), 'quarry-miner-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

const videos = (count: number, seconds = 12) =>
  Array.from({ length: count }, (_, at) => ({ id: `v${at}`, seconds, bytes: 3_000 }));
const order = (most: number) => ({ topic: 'cats', sources: ['commons'] as const, most });

async function open(source: WorldSource, options: Partial<WorldOptions> = {}) {
  const world = await openClipWorld({ db, folder, source, ...options });
  closing.push(() => world.miner.close());
  const off = () => until(() => expect(world.miner.state.mining).toBe('off'));
  const job = async (number = 1) => await world.jobs.get(number);
  const reason = async (number = 1) => JSON.parse((await job(number))?.reason ?? '{}').text;
  return { ...world, off, job, reason };
}

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name);

it('looks for a topic until there are as many clips as are wanted, and asks for no more videos than that takes', async () => {
  const source = new WorldSource(videos(9));
  const { miner, clips, jobs, off } = await open(source);
  await miner.mine(order(4));
  await off();
  const rows = await clips.page({}, undefined, 100);
  expect(rows.map(({ video }) => video)).toEqual(['v3', 'v2', 'v1', 'v0']);
  expect(rows[0]).toMatchObject({
    ...{ title: 'Video v3', topic: 'cats', from_s: 0, to_s: 12, description: 'Video v3\n\nWhat v3 is about' },
    ...{ described_by: 'title', licence: 'by', attribution: 'Ann, v3', url: 'https://videos.example/v3' },
    ...{ space: 'world@1', has_sound: 1, container: 'webm' },
  });
  expect([source.fetched.length, (await jobs.sums()).rows.done]).toEqual([4, 4]);
  expect(await jobs.order()).toMatchObject({ is_on: 0, made: 4, most: 4 });
});

it('fetches no more of a video than whoever looks at its clips will, whatever the settings let it', async () => {
  const asked: unknown[] = [];
  const source = new WorldSource(videos(1));
  const fetch = source.fetch.bind(source);
  source.fetch = async (id, to, options) => {
    asked.push({ mostSeconds: options.mostSeconds, mostBytes: options.mostBytes });
    return await fetch(id, to, options);
  };
  const { miner, off } = await open(source, { mostFetched: 1e10, budget: () => 1e12 });
  await miner.mine(order(1));
  await off();
  expect(asked).toEqual([fetchLimits('commons')]);
});

it('says that there is nothing more where the sources have none', async () => {
  const { miner, off } = await open(new WorldSource(videos(2)));
  await miner.mine(order(50));
  await off();
  expect(miner.state.fault?.text).toBe('The sources have nothing more of this topic: 2 clips were made.');
});

it('makes several clips of one video, and of the last one only those that are still wanted', async () => {
  const { miner, clips, off } = await open(new WorldSource(videos(3, 90)));
  await miner.mine(order(5));
  await off();
  expect((await clips.page({}, undefined, 10)).map(({ video, from_s }) => `${video} ${from_s}`)).toEqual([
    ...['v1 60', 'v1 0', 'v0 60', 'v0 30', 'v0 0'],
  ]);
});

it.each([
  ['is not there any more', null, 'Its source has it no more.'],
  [
    'allows no derivatives now',
    { licence: 'byNd' } as const,
    'Its licence has changed: no clip may be made of it any more.',
  ],
])('passes over a video that %s', async (_, now, text) => {
  const source = new WorldSource(videos(1));
  source.looks.set('v0', now);
  const { miner, clips, off, job, reason } = await open(source);
  await miner.mine(order(1));
  await off();
  expect([(await job())?.state, await reason(), (await clips.sums()).rows]).toEqual(['skipped', text, 0]);
  expect(await filesIn(folder)).toEqual([]);
});

it('looks at the licence again right before each cut', async () => {
  const source = new WorldSource(videos(1, 90));
  const media = new WorldMedia();
  const cut = media.cut.bind(media);
  media.cut = async (...about) => {
    const facts = await cut(...about);
    source.looks.set('v0', { licence: 'unknown' });
    return facts;
  };
  const { miner, clips, off, job, reason } = await open(source, { media });
  await miner.mine(order(9));
  await off();
  expect([(await job())?.state, (await clips.sums()).rows]).toEqual(['done', 1]);
  expect(await reason()).toBe('Its licence has changed: no clip may be made of it any more.');
});

it('makes no clip of a stretch that came out too short', async () => {
  const media = new WorldMedia();
  const cut = media.cut.bind(media);
  media.cut = async (...about) => ({ ...(await cut(...about)), seconds: 4.8 });
  const { miner, clips, off, job } = await open(new WorldSource(videos(1)), { media });
  await miner.mine(order(1));
  await off();
  expect([(await job())?.state, (await clips.sums()).rows]).toEqual(['done', 0]);
  expect(await filesIn(folder)).toEqual([]);
});

it('leaves no file of a clip that could not be written down', async () => {
  const { miner, clips, off, job } = await open(new WorldSource(videos(1)));
  clips.add = async (_, { place }) => {
    await place();
    throw new Error('The database is no more.');
  };
  await miner.mine(order(1));
  await off();
  expect((await job())?.state).toBe('failed');
  expect((await filesIn(folder)).filter((name) => !name.endsWith('.video'))).toEqual([]);
});

it('makes no clip of what was taken down, even amid it', async () => {
  let isDown = false;
  const media = new WorldMedia();
  const jpeg = media.jpeg.bind(media);
  media.jpeg = async (...about) => {
    isDown = true;
    return await jpeg(...about);
  };
  const { miner, clips, off, reason } = await open(new WorldSource(videos(1)), { media, isTakenDown: () => isDown });
  await miner.mine(order(1));
  await off();
  expect([(await clips.sums()).rows, await reason()]).toEqual([0, 'It is on the list of what was taken down.']);
  expect(await filesIn(folder)).toEqual([]);
});

const passing = new QuarryError({ code: 'DOWNLOAD_FAILED', message: 'The line is down.', retryable: true });

it('tries what may pass again later, and gives up in the end', async () => {
  const source = new WorldSource(videos(1));
  source.failures.set('fetch v0', passing);
  const clock = { now: 1_000_000 };
  const world = await open(source, { now: () => clock.now });
  const { miner, job, reason, off } = world;
  await miner.mine(order(1));
  for (let tries = 1; tries < 5; tries++) {
    await until(async () => expect((await job())?.tries).toBe(tries));
    await until(() => expect(miner.state).toMatchObject({ mining: 'resting', fault: { text: expect.any(String) } }));
    const { state, due_at } = (await job()) ?? { state: '', due_at: 0 };
    expect([state, due_at > clock.now]).toEqual(['waiting', true]);
    clock.now = due_at;
    await miner.resume();
  }
  await off();
  expect([(await job())?.state, await reason(), source.fetched.length]).toEqual(['failed', 'The line is down.', 5]);
  source.failures.clear();
  expect(await miner.retry(1)).toBe(1);
  await off();
  expect(await job()).toMatchObject({ state: 'done', clips: 1, tries: 0 });
  await expect(miner.retry(1)).rejects.toThrow('has not failed');
  await expect(miner.retry(7)).rejects.toThrow('no video with the number 7');
});

it('goes on with the next where one fails for good, or its file is of no use', async () => {
  const source = new WorldSource(videos(3));
  source.failures.set('fetch v0', new Error('It is gone.'));
  const media = new WorldMedia();
  const cut = media.cut.bind(media);
  media.cut = async (...about) => {
    if (source.fetched.at(-1) === 'v1') throw new UnusableMedia('damaged');
    return await cut(...about);
  };
  const { miner, jobs, off, reason } = await open(source, { media });
  await miner.mine(order(3));
  await off();
  const all = await jobs.page({ limit: 9 });
  expect(all.map(({ state }) => state)).toEqual(['done', 'skipped', 'failed']);
  expect([await reason(1), await reason(2)]).toEqual(['It is gone.', 'The file is damaged, or is no video.']);
});

it('goes on with the next where whoever published one lets nothing be downloaded, or its source is off by now', async () => {
  const source = new WorldSource(videos(4));
  const { miner, off, jobs } = await open(source);
  const refusal = (message: string) => new QuarryError({ code: 'UNSUPPORTED', message });
  source.failures.set('fetch v0', refusal('Not to be downloaded.'));
  source.failures.set('look v1', refusal('Switched off.'));
  await miner.mine(order(2));
  await off();
  const states = (await jobs.page({ limit: 9 })).map(({ video, state }) => `${video} ${state}`);
  expect(states.sort()).toEqual(['v0 failed', 'v1 failed', 'v2 done', 'v3 done']);
});

it('lets what was fetched give way when the budget is used up, then rests and says so, and goes on when it may have more', async () => {
  const source = new WorldSource(videos(3));
  const limit = { budget: 4_000 };
  const world = await open(source, { budget: () => limit.budget });
  const { miner, jobs, off, job } = world;
  await jobs.add([
    { ...kept('old'), state: 'failed', bytes: 2_000, changed_at: 1 },
    { ...kept('older'), state: 'failed', bytes: 2_000, changed_at: 0 },
  ]);
  await writeFile(world.folder.fetched(1), 'x'.repeat(2_000));
  await writeFile(world.folder.fetched(2), 'x'.repeat(2_000));
  await miner.mine(order(3));
  await until(() => expect(miner.state.mining).toBe('resting'));
  await until(() => expect(miner.state.fault?.text).toContain('have taken all that they may'));
  expect([(await job(1))?.bytes, (await job(2))?.bytes]).toEqual([0, 0]);
  limit.budget = 10_000_000;
  await miner.resume();
  await off();
  expect((await jobs.order())?.made).toBe(3);
});

const kept = (id: string): Omit<NewJob, 'state' | 'bytes' | 'changed_at'> => ({
  ...{ source: 'commons', video: id, title: id, topic: 'cats', found: JSON.stringify(foundVideo(id)), reason: null },
  ...{ is_ordered: 0, tries: 0, due_at: 0, url: null, spans: null, next_span: 0, clips: 0, created_at: 0 },
});

it('rests as long as something speaks against it', async () => {
  let against: Saying[] = [say('clips.policy', { reason: 'Somebody works here.' })];
  let tell = () => {};
  const conditions = {
    against: () => against,
    subscribe: (listener: () => void) => {
      tell = listener;
      return () => undefined;
    },
  };
  const { miner, clips, off } = await open(new WorldSource(videos(1)), { conditions });
  await miner.mine(order(1));
  await until(() =>
    expect(miner.state).toMatchObject({ mining: 'resting', fault: { text: 'It rests: Somebody works here.' } }),
  );
  expect((await clips.sums()).rows).toBe(0);
  against = [];
  tell();
  await off();
  expect((await clips.sums()).rows).toBe(1);
});

it('rests where no program reads videos', async () => {
  const { miner } = await open(new WorldSource(videos(1)), { tools: { media: async () => undefined } });
  await miner.mine(order(1));
  await until(() => expect(miner.state.fault?.text).toBe('There is no program here that reads videos.'));
  expect(miner.state.mining).toBe('resting');
});

it('finishes the clip that is being made when it is stopped; what waits goes on when it is resumed', async () => {
  const media = new WorldMedia();
  const { promise: isCutting, resolve: cutting } = Promise.withResolvers<void>();
  const { promise: may, resolve: letIt } = Promise.withResolvers<void>();
  const jpeg = media.jpeg.bind(media);
  media.jpeg = async (...about) => {
    cutting();
    await may;
    return await jpeg(...about);
  };
  const { miner, clips, jobs, off, job } = await open(new WorldSource(videos(2, 90)), { media });
  await miner.mine(order(6));
  await isCutting;
  await miner.stop();
  expect(miner.state.mining).toBe('ending');
  letIt();
  await off();
  expect([(await clips.sums()).rows, (await job())?.next_span, (await jobs.order())?.is_on]).toEqual([1, 1, 0]);
  await miner.resume();
  await off();
  expect([(await clips.sums()).rows, (await jobs.order())?.made]).toEqual([6, 6]);
});

it('looks for another topic once the clip that is being made is one; what waits stays in the queue', async () => {
  const media = new WorldMedia();
  const [cutting, may] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const jpeg = media.jpeg.bind(media);
  media.jpeg = async (...about) => {
    cutting.resolve();
    await may.promise;
    return await jpeg(...about);
  };
  const { miner, clips, jobs, off } = await open(new WorldSource(videos(4, 90)), { media });
  await miner.mine(order(9));
  await cutting.promise;
  await miner.mine({ ...order(2), topic: 'dogs' });
  may.resolve();
  await off();
  expect(await jobs.order()).toMatchObject({ topic: 'dogs', made: 2, most: 2 });
  const rows = await clips.page({}, undefined, 99);
  expect(rows.filter(({ topic }) => topic === 'dogs').length).toBe(2);
  expect(new Set(rows.map(({ clip }) => clip)).size).toBe(rows.length);
});

it('takes a video out of the queue while it is worked on, with what was fetched of it', async () => {
  const source = new WorldSource([{ id: 'v0', seconds: 12, bytes: 400_000 }, ...videos(2).slice(1)], 5);
  const { miner, jobs, job, reason, off, folder: files } = await open(source);
  await miner.mine(order(2));
  await until(async () => expect(await files.fetchedBytes(1)).toBeGreaterThan(0));
  await miner.cancel(1);
  expect([(await job())?.state, await reason(), await files.fetchedBytes(1)]).toEqual([
    ...['skipped', 'It was taken out of the queue.', 0],
  ]);
  await off();
  expect((await jobs.page({ limit: 9 })).map(({ state }) => state)).toEqual(['done', 'skipped']);
  await expect(miner.cancel(1)).rejects.toThrow('has come to its end');
});

it('asks a source that failed again later, and the others meanwhile', async () => {
  const source = new WorldSource(videos(2));
  source.failures.set('search', passing);
  const clock = { now: 5_000 };
  const { miner, search, off, jobs } = await open(source, { now: () => clock.now });
  await miner.mine(order(1));
  await until(() => expect(miner.state).toMatchObject({ mining: 'resting', fault: { text: 'The line is down.' } }));
  const wanted = { topic: 'cats', sources: ['commons'] as const, most: 1, cursors: {} };
  expect(await search.more(wanted, new AbortController().signal)).toMatchObject({ state: 'later', at: 35_000 });
  source.failures.clear();
  clock.now = 35_000;
  await miner.resume();
  await off();
  expect((await jobs.order())?.made).toBe(1);
});

it('tells how many bytes of a video are fetched, and of how many', async () => {
  const source = new WorldSource([{ id: 'v0', seconds: 12, bytes: 60_000 }], 5);
  const { miner, off } = await open(source);
  await miner.mine(order(1));
  await until(() => expect(miner.progressOf(1)?.fetched).toMatchObject({ of: 60_000, bytes: expect.any(Number) }));
  await off();
  expect(miner.progressOf(1)).toBeUndefined();
});

it('keeps which model has described a clip', async () => {
  const captioner = () => ({ model: 'sees-much', describe: async () => 'A cat jumps over a wall.' });
  const { miner, clips, off } = await open(new WorldSource(videos(1)), { tools: { captioner } });
  await miner.mine(order(1));
  await off();
  const [row] = await clips.page({}, undefined, 1);
  expect(row).toMatchObject({ described_by: 'model', described_with: 'sees-much' });
  await clips.describe(row?.clip ?? '', { description: 'mine', by: 'user', space: null, vectors: {} });
  expect((await clips.get(row?.clip ?? ''))?.described_with).toBeNull();
});
