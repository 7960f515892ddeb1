import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Renumbering } from '../../../../src-main/clips/library/renumbering.ts';
import type { ClipModels } from '../../../../src-main/clips/models/clip-models.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { openClipWorld, WORLD_MODELS, WorldMedia, WorldSource } from '../../../support/clip-world.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

const log = pino({ level: 'silent' });
const NOTHING = { against: () => [], subscribe: () => () => undefined };
let db: Db;
let path: string;
beforeEach(async () => {
  db = await memoryDatabase();
  path = await mkdtemp(join(tmpdir(), 'quarry-renumbering-'));
});
afterEach(async () => {
  await db.destroy();
  await rm(path, { recursive: true, force: true });
});

/** Clips that were made without models. */
async function clipsWithout(count: number) {
  const videos = Array.from({ length: count }, (_, at) => ({ id: `v${at}`, seconds: 12, bytes: 2_000 }));
  const tools = { models: () => undefined };
  const world = await openClipWorld({ db, folder: path, source: new WorldSource(videos), tools });
  await world.miner.mine({ topic: 'cats', sources: ['commons'], most: count });
  await until(() => expect(world.miner.state.mining).toBe('off'));
  await world.miner.close();
  return world;
}

it('reckons clips anew once there are models, and again when there are others', async () => {
  const { clips, folder, made } = await clipsWithout(3);
  const done: string[] = [];
  const progress: (number | null)[] = [];
  let models: ClipModels | undefined;
  const tools = { media: async () => new WorldMedia(), models: () => models };
  const onDone = async (clip: string) => {
    done.push(clip);
    progress.push(renumbering.progress);
  };
  const renumbering: Renumbering = new Renumbering({
    ...{ store: clips, folder, tools, conditions: NOTHING, onDone, log, everyMs: 1 },
  });
  renumbering.open();
  models = WORLD_MODELS;
  await until(() => expect(done).toEqual(made));
  for (const clip of made) {
    expect((await clips.get(clip))?.space).toBe(WORLD_MODELS.space);
    expect(Object.keys(await clips.vectors(clip, WORLD_MODELS.space)).sort()).toEqual([
      'described-seen',
      'heard',
      'seen',
    ]);
  }
  models = { ...WORLD_MODELS, space: 'world@2' };
  await until(() => expect(done).toEqual([...made, ...made]));
  expect(await clips.vectors(made[0] ?? '', WORLD_MODELS.space)).toEqual({});
  await until(() => expect(renumbering.progress).toBeNull());
  expect(progress).toEqual([1 / 3, 2 / 3, 1, 1 / 3, 2 / 3, 1]);
  await renumbering.close();
});

it('passes over what cannot be read, and waits while something speaks against it', async () => {
  const { clips, folder, made } = await clipsWithout(3);
  let against: Saying[] = [say('clips.triedLater')];
  let looks = 0;
  const done: string[] = [];
  const media = new WorldMedia();
  const read = media.pictures.bind(media);
  Object.assign(media, {
    pictures: async (path: string) => {
      if (path.includes(made[1] ?? '')) throw new Error('damaged');
      return read();
    },
  });
  const renumbering = new Renumbering({
    ...{ store: clips, folder, log, everyMs: 1, tools: { media: async () => media, models: () => WORLD_MODELS } },
    conditions: {
      ...NOTHING,
      against() {
        looks++;
        return against;
      },
    },
    onDone: async (clip) => void done.push(clip),
  });
  renumbering.open();
  await until(() => expect(looks).toBeGreaterThan(2));
  expect(done).toEqual([]);
  against = [];
  await until(() => expect(done).toEqual([made[0], made[2]]));
  await renumbering.close();
  expect((await clips.get(made[1] ?? ''))?.space).toBeNull();
});

it('leaves alone what was put in other words meanwhile', async () => {
  const { clips, made } = await clipsWithout(1);
  const row = await clips.get(made[0] ?? '');
  await clips.describe(made[0] ?? '', { description: 'mine', by: 'user', space: null, vectors: {} });
  expect(await clips.setVectors(row as NonNullable<typeof row>, 's', { seen: Float32Array.of(1) })).toBe(false);
  expect(await clips.vectors(made[0] ?? '', 's')).toEqual({});
});

it('has a clip scored that was made and not scored before its node died, and each but once', async () => {
  const { clips, folder, made } = await clipsWithout(3);
  for (const clip of made) {
    const row = await clips.get(clip);
    if (row) await clips.setVectors(row, WORLD_MODELS.space, { seen: Float32Array.of(1) });
  }
  await clips.setScore(made[1] ?? '', '{}');
  const done: string[] = [];
  const read = { pictures: async () => Promise.reject(new Error('there is nothing to be read again')) };
  const media = Object.assign(new WorldMedia(), read);
  let rounds = 0;
  const conditions = {
    ...NOTHING,
    against() {
      rounds++;
      return [];
    },
  };
  const renumbering = new Renumbering({
    ...{ store: clips, folder, log, everyMs: 1, conditions },
    tools: { media: async () => media, models: () => WORLD_MODELS },
    onDone: async (clip) => void done.push(clip),
  });
  renumbering.open();
  await until(() => expect(done).toEqual([made[0], made[2]]));
  const before = rounds;
  await until(() => expect(rounds).toBeGreaterThan(before + 2));
  await renumbering.close();
  expect(done).toEqual([made[0], made[2]]);
});

it('has all clips scored anew at once when it is told to, also where it had looked at all of them', async () => {
  const { clips, folder, made } = await clipsWithout(3);
  for (const clip of made) {
    const row = await clips.get(clip);
    if (row) await clips.setVectors(row, WORLD_MODELS.space, { seen: Float32Array.of(1) });
  }
  const done: string[] = [];
  const renumbering = new Renumbering({
    ...{ store: clips, folder, log, conditions: NOTHING, everyMs: 3_600_000 },
    tools: { media: async () => new WorldMedia(), models: () => WORLD_MODELS },
    onDone: async (clip) => {
      done.push(clip);
      await clips.setScore(clip, '{}');
    },
  });
  renumbering.open();
  for (let times = 1; times <= 3; times++) {
    await until(() => expect(done).toEqual(Array.from({ length: times }, () => made).flat()));
    await renumbering.scoreAnew();
  }
  await until(() => expect(done).toHaveLength(4 * made.length));
  await renumbering.close();
  await expect(renumbering.scoreAnew()).rejects.toThrow(); // it comes to no end, and changes nothing
  expect((await clips.get(made[0] ?? ''))?.score).toBe('{}');
});

it('forgets what some clips are worth at a time, and leaves those behind them', async () => {
  const { clips, made } = await clipsWithout(3);
  for (const clip of made) await clips.setScore(clip, '{}');
  const scored = async () => (await clips.reckoned(0, 10)).map(({ isScored }) => isScored);
  const second = await clips.forgetScores(0, 2);
  expect([second, await scored()]).toEqual([2, [false, false, true]]);
  expect([await clips.forgetScores(2, 2), await scored()]).toEqual([3, [false, false, false]]);
  expect(await clips.forgetScores(3, 2)).toBeUndefined();
});

it('begins again with the first clip where it is told to amid the others', async () => {
  const { clips, folder, made } = await clipsWithout(3);
  for (const clip of made) {
    const row = await clips.get(clip);
    if (row) await clips.setVectors(row, WORLD_MODELS.space, { seen: Float32Array.of(1) });
  }
  const done: string[] = [];
  const renumbering = new Renumbering({
    ...{ store: clips, folder, log, conditions: NOTHING, everyMs: 3_600_000 },
    tools: { media: async () => new WorldMedia(), models: () => WORLD_MODELS },
    onDone: async (clip) => {
      done.push(clip);
      if (done.length === 2) await renumbering.scoreAnew(); // while the second one is being scored
      await clips.setScore(clip, '{}');
    },
  });
  renumbering.open();
  await until(async () =>
    expect((await clips.reckoned(0, 10)).map(({ isScored }) => isScored)).toEqual([true, true, true]),
  );
  await until(() => expect(done).toEqual([made[0], made[1], made[0], made[2]]));
  await renumbering.close();
});

it('lets others have their turns while it looks through a large library in which all is done', async () => {
  const [rows, pages] = [500, 100];
  let [looked, turns] = [0, 0];
  const turn = () => {
    turns++;
    if (looked <= pages) setImmediate(turn);
  };
  const store = {
    // As SQLite does: the answer is there at once.
    async reckoned(after: number) {
      if (looked++ >= pages) return [];
      const done = { clip: '', space: WORLD_MODELS.space, isScored: true };
      return Array.from({ length: rows }, (_, at) => ({ ...done, number: after + at + 1 }));
    },
    get: async () => undefined,
    setVectors: async () => false,
    forgetScores: async () => undefined,
    lastNumber: async () => 0,
  };
  const tools = { media: async () => new WorldMedia(), models: () => WORLD_MODELS };
  const { folder } = await clipsWithout(0);
  const onDone = async () => undefined;
  const renumbering = new Renumbering({ store, folder, tools, conditions: NOTHING, onDone, log });
  setImmediate(turn);
  renumbering.open();
  await until(() => expect(looked).toBeGreaterThan(pages));
  await renumbering.close();
  expect(turns).toBeGreaterThan(pages / 2);
});

it('forgets scores of few clips at a time, and lets others have their turns between', async () => {
  const { folder } = await clipsWithout(0);
  const [asked, clips]: [number[], number] = [[], 1_000];
  let turns = 0;
  const store = {
    ...{
      reckoned: async () => [],
      get: async () => undefined,
      setVectors: async () => false,
      lastNumber: async () => 0,
    },
    // As SQLite does: it is done in this very turn.
    async forgetScores(after: number, limit: number) {
      asked.push(limit);
      setImmediate(() => turns++);
      return after < clips ? after + limit : undefined;
    },
  };
  const tools = { media: async () => undefined, models: () => undefined };
  const onDone = async () => undefined;
  await new Renumbering({ store, folder, tools, conditions: NOTHING, onDone, log }).scoreAnew();
  expect(Math.max(...asked)).toBeLessThanOrEqual(100); // of 20,000 characters each: 25 ms of the processor
  expect(turns).toBeGreaterThanOrEqual(asked.length - 1);
});
