import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cosine } from '../../../../src-main/base/cosine.ts';
import { clipRoad } from '../../../../src-main/clips/kept/clip-road.ts';
import { ClipLibrary, type ClipLibraryOptions } from '../../../../src-main/clips/library/clip-library.ts';
import type { Scorer } from '../../../../src-main/clips/library/ports.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { openClipWorld, WORLD_MODELS, WorldSource } from '../../../support/clip-world.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

const SIGNAL = new AbortController().signal;
let db: Db;
let folder: string;
beforeEach(async () => {
  db = await memoryDatabase();
  folder = await mkdtemp(join(tmpdir(), 'quarry-clips-'));
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** Each clip has been added, under a topic of its own every second time. */
async function library(count: number, options: Partial<ClipLibraryOptions> = {}) {
  const videos = Array.from({ length: count }, (_, at) => ({ id: `v${at}`, seconds: 12, bytes: 2_000 }));
  const world = await openClipWorld({ db, folder, source: new WorldSource(videos) });
  await world.miner.mine({ topic: 'cats', sources: ['commons'], most: count });
  await until(() => expect(world.miner.state.mining).toBe('off'));
  await world.miner.close();
  const seen = new Map<string, Float32Array>();
  const index: ClipLibraryOptions['index'] = {
    add: async (_, clips) => clips.forEach(({ id, vector }) => void seen.set(id, vector)),
    remove: async (_, ids) => ids.forEach((id) => void seen.delete(id)),
    nearest: async ([vector = new Float32Array()], { except = [] }) => [
      [...seen]
        .filter(([id]) => !except.includes(id))
        .map(([id, other]) => ({ id, closeness: cosine(vector, other) }))
        .sort((one, other) => other.closeness - one.closeness || (one.id < other.id ? -1 : 1)),
    ],
  };
  const { clips: store, changes, folder: files } = world;
  const made = new ClipLibrary({
    ...{ store, folder: files, models: () => WORLD_MODELS, index, scorer: undefined, changes, now: Date.now },
    ...options,
  });
  for (const clip of world.made) await made.added(clip, SIGNAL);
  return { library: made, store, clips: world.made, seen, files };
}

it('lists clips page by page, the newest first, each once', async () => {
  const { library: all } = await library(5);
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 3; page++) {
    const { clips, next, total } = await all.list({ rows: 2, cursor }, SIGNAL);
    found.push(...clips.map(({ id }) => id));
    expect(total).toBe(5);
    cursor = next ?? undefined;
  }
  expect([found, cursor]).toEqual([['v4', 'v3', 'v2', 'v1', 'v0'], undefined]);
  await expect(all.list({ cursor: 'x' }, SIGNAL)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'cursor' });
});

it('finds words in title, description and what is said, whatever else is typed', async () => {
  const { library: all, store, clips } = await library(3);
  await all.describe(clips[1] ?? '', 'Ein schwarzes KÄTZCHEN springt', SIGNAL);
  const ids = async (text: string) => (await all.list({ text }, SIGNAL)).clips.map(({ id }) => id);
  expect(await ids('katz')).toEqual(['v1']);
  expect(await ids('about')).toEqual(['v2', 'v0']);
  expect([await ids('a'), await ids('e')]).toEqual([[], []]); // no word of them: a letter is no beginning
  expect(await ids('video "schwarzes')).toEqual(['v1']);
  expect(await ids('NEAR( OR *')).toEqual([]);
  expect(await ids('***')).toEqual([]);
  await all.remove(clips[1] ?? '');
  expect(await ids('katz')).toEqual([]);
  expect((await store.sums()).rows).toBe(2);
});

it('lets pass what the filters let pass', async () => {
  const { library: all, store, clips } = await library(4);
  await all.describe(clips[0] ?? '', 'mine', SIGNAL);
  expect(await store.setTakenDown({ source: 'commons', id: 'v3' }, true)).toBe(1);
  const ids = async (filter: Parameters<ClipLibrary['list']>[0]) =>
    (await all.list(filter, SIGNAL)).clips.map(({ id }) => id);
  expect(await ids({ describedBy: 'user' })).toEqual(['v0']);
  expect(await ids({ isTakenDown: true })).toEqual(['v3']);
  expect(await ids({ isTakenDown: false, licence: 'by', source: 'commons', topic: 'cats' })).toEqual([
    'v2',
    'v1',
    'v0',
  ]);
  expect(await ids({ topic: 'dogs' })).toEqual([]);
  expect(await ids({ text: 'video', licence: 'by', rows: 2 })).toEqual(['v3', 'v2']);
  expect(await ids({ text: 'mine', describedBy: 'user' })).toEqual(['v0']);
  expect(await ids({ text: 'mine', describedBy: 'title' })).toEqual([]);
});

it('finds what is nearest, page by page, among those that the filters let pass', async () => {
  const { library: all, clips, seen } = await library(5);
  for (const [at, clip] of clips.entries()) seen.set(clip, Float32Array.of(Math.cos(at / 3), Math.sin(at / 3)));
  const [first, second] = [await all.list({ like: clips[0], rows: 2 }, SIGNAL), clips[0]];
  expect(first.clips.map(({ id }) => id)).toEqual(['v1', 'v2']);
  expect(first.clips[0]?.closeness).toBeCloseTo(Math.cos(1 / 3), 5);
  const { clips: rest, next } = await all.list({ like: second, rows: 9, cursor: first.next ?? '' }, SIGNAL);
  expect([rest.map(({ id }) => id), next]).toEqual([['v3', 'v4'], null]);
  await all.describe(clips[3] ?? '', 'mine', SIGNAL);
  expect((await all.list({ about: 'anything', describedBy: 'user' }, SIGNAL)).clips.map(({ id }) => id)).toEqual([
    'v3',
  ]);
  expect((await all.list({ about: 'anything', text: 'mine' }, SIGNAL)).clips.map(({ id }) => id)).toEqual(['v3']);
  await expect(all.list({ like: 'f'.repeat(32) }, SIGNAL)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('reckons a description of the user anew, and what it is worth', async () => {
  const asked: string[] = [];
  const score = { worth: 0.1, uncounted: null, descriptionRelevance: 0.4, topicRelevance: 0.2, detail: 1 };
  const scorer: Scorer = {
    score: async (topic, [one]) => {
      asked.push(`${topic}: ${one?.row.description} ${Object.keys(one?.vectors ?? {}).sort()}`);
      const { source, video: id, clip, from_s: from, to_s: to, description } = one?.row ?? fail();
      const scored = { ...score, novelty: null, uniqueTokens: 9, check: 'unlooked' } as const;
      return { topic, score: 0.1, reason: null, clips: [{ source, id, clip, from, to, description, score: scored }] };
    },
  };
  const { library: all, store, clips } = await library(1, { scorer });
  const before = await store.vectors(clips[0] ?? '', 'world@1');
  const told = await all.describe(clips[0] ?? '', 'A cat jumps', SIGNAL);
  expect(told).toMatchObject({ description: 'A cat jumps', describedBy: 'user', score: { worth: 0.1 } });
  const after = await store.vectors(clips[0] ?? '', 'world@1');
  expect(after.seen).toEqual(before.seen);
  expect(after['described-seen']).not.toEqual(before['described-seen']);
  expect(asked).toEqual([
    'cats: Video v0\n\nWhat v0 is about described-seen,heard,seen',
    'cats: A cat jumps described-seen,heard,seen',
  ]);
});

const fail = () => {
  throw new Error('there is none');
};

it('says what it lacks where there are no models', async () => {
  const { library: all, clips } = await library(1, { models: () => undefined });
  for (const asked of [all.list({ about: 'cats' }, SIGNAL), all.score('cats', clips, SIGNAL)])
    await expect(asked).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(await all.describe(clips[0] ?? '', 'still', SIGNAL)).toMatchObject({ description: 'still' });
});

it('gives clips and their pictures by ticket, in ranges, and removes them with their files', async () => {
  const { library: all, clips, seen } = await library(2);
  const { video, poster } = await all.play(clips[0] ?? '');
  const get = (path: string, headers = {}) => clipRoad(all, new Request(`http://node${path}`, { headers }));
  const whole = await get(video);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/webm']);
  expect(await whole.text()).toContain('0 to 12');
  const part = await get(video, { range: 'bytes=0-3' });
  expect([part.status, await part.text()]).toEqual([206, '{"id']);
  const picture = await get(poster);
  expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/jpeg', 'picture at 6']);
  expect((await get('/data/clip/nothing')).status).toBe(404);
  await all.remove(clips[0] ?? '');
  expect((await get(video)).status).toBe(404);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  expect(files.map(({ name }) => name.split('.')[0]).sort()).toEqual([clips[1], clips[1]]);
  expect([...seen.keys()]).toEqual([clips[1]]);
  await expect(all.get(clips[0] ?? '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('keeps what a clip is worth alone, not what it came to among others, and has each in a submission once', async () => {
  const score = { uncounted: null, descriptionRelevance: null, topicRelevance: null, detail: null, novelty: null };
  const scorer: Scorer = {
    score: async (topic, all) => {
      const its = { ...score, worth: 1 / all.length, uniqueTokens: 9, check: 'unlooked' } as const;
      const refs = all.map(({ row: { source, video: id, clip, from_s: from, to_s: to, description } }) => ({
        ...{ source, id, clip, from, to, description, score: its },
      }));
      return { topic, score: 1, reason: null, clips: refs };
    },
  };
  const { library: all, clips } = await library(2, { scorer });
  const worth = async () => (await all.get(clips[0] ?? '')).score?.worth;
  expect(await worth()).toBe(1);
  const before = all.version;
  expect((await all.score('cats', clips, SIGNAL)).clips[0]?.score?.worth).toBe(0.5);
  await all.score('dogs', clips.slice(0, 1), SIGNAL);
  expect([await worth(), all.version]).toEqual([1, before]);
  const twice = all.score('cats', [clips[0] ?? '', clips[1] ?? '', clips[0] ?? ''], SIGNAL);
  await expect(twice).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    field: 'clips',
    message: expect.stringMatching(`^The clip ${clips[0]} is named twice`),
  });
  await all.score('cats', clips.slice(0, 1), SIGNAL);
  expect(all.version).toBeGreaterThan(before);
});
