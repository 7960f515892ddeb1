import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openClipChecking } from '../../../src-main/app/parts/data/clip-checking.ts';
import { MediaPlace } from '../../../src-main/clips/media/media-place.ts';
import { ClipSpeech } from '../../../src-main/clips/models/clip-speech.ts';
import { ModelsPlace } from '../../../src-main/clips/models/models-place.ts';
import type { VectorModels } from '../../../src-main/clips/models/vector-models.ts';
import { ClipSubmissionStore } from '../../../src-main/store/clips/clip-submissions.ts';
import type { ClipVectorsByKind, StoredClip } from '../../../src-main/store/clips/clips.ts';
import { openDatabase } from '../../../src-main/store/database.ts';
import type { HandedClip } from '../../../src-main/subnets/omega/clips/synapse/entries.ts';
import { openClipWorld } from '../clip-world.ts';
import type { FakeClip, FakeWorld } from '../fake-world/make-world.ts';
import { FakeWorldSource } from '../fake-world-source.ts';
import { videosText } from '../handed-in.ts';
import { realVoiceModel, realWordsModel } from '../real-speech-models.ts';
import { tinyModel, tinyModelFolder } from '../tiny-clip-models.ts';

/** A clip that was made, beside what is true of its video. */
export interface MinedClip {
  fake: FakeClip;
  row: StoredClip;
  vectors: ClipVectorsByKind;
}

/** A judge of its own: nobody has handed in anything before. */
export type FreshJudge = Awaited<ReturnType<MinedWorld['judge']>>;
export type MinedWorld = Awaited<ReturnType<typeof mineFakeWorld>>;

const NEVER = new AbortController().signal;
const LOOK_MS = 50;

/** Mines all of a fake world with the parts of a real node: its miner, ffmpeg, models of pictures, sounds and speakers, and those of voices and words where they are there. */
export async function mineFakeWorld(world: FakeWorld) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-mined-world-'));
  const db = await openDatabase(join(folder, 'mining.db'));
  const media = new MediaPlace({ path: () => undefined });
  const places = await openModels(folder);
  const { vectors, thresholds, localCaptioner: plain } = places.now;
  if (!vectors || !thresholds) throw new Error('The tiny models are not there.');
  const [voice, words] = [await realVoiceModel(), await realWordsModel()];
  const speakers = await tinyModel('tiny-speakers', 'speakers');
  const speech = new ClipSpeech({ voice: voice ?? null, words: words ?? null, speakers });
  const source = new FakeWorldSource(world);
  const reader = await media.tool();
  const tools = { models: () => vectors, listeners: () => speech, plain };
  const mined = await openClipWorld({ db, folder: join(folder, 'clips'), source, media: reader, tools });
  await mined.search.add(world.clips.map(FakeWorldSource.saidOf), 'moving shapes', { isOrdered: false });
  await mined.miner.resume();
  while (mined.miner.state.mining !== 'off') await sleep(LOOK_MS); // as long as it takes: the test has an end
  const judges = { folder, source, media, models: places };
  return {
    ...{ models: vectors, thresholds, hasWords: words !== undefined, search: mined.search, folder },
    jobs: new Map((await mined.jobs.page({ limit: 1_000 })).map((job) => [job.video, job])),
    clips: await minedClips(mined, world, vectors),
    judge: () => openJudge(judges),
    close: async () => {
      await mined.miner.close();
      await Promise.all([speech.close(), places.close()]);
      await db.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

/** As a node opens those that its settings name. */
const openModels = (folder: string) =>
  ModelsPlace.open({
    folder,
    log: pino({ level: 'silent' }),
    settings: () => ({
      ...{ pictures: tinyModelFolder('tiny-pictures'), sounds: tinyModelFolder('tiny-sounds') },
      ...{ voice: 'none', words: 'none', speakers: 'none', threads: 1 },
    }),
  });

async function minedClips(
  { clips }: Awaited<ReturnType<typeof openClipWorld>>,
  world: FakeWorld,
  { space }: VectorModels,
): Promise<MinedClip[]> {
  const rows = (await clips.page({}, undefined, 10_000)).reverse();
  const mined = rows.map(async (row) => ({
    fake: world.clips.find(({ name }) => name === row.video) as FakeClip,
    row,
    vectors: await clips.vectors(row.clip, space),
  }));
  return await Promise.all(mined);
}

interface JudgeNeeds {
  folder: string;
  source: FakeWorldSource;
  media: MediaPlace;
  models: ModelsPlace;
}

async function openJudge({ folder, source, media, models }: JudgeNeeds) {
  const db = await openDatabase(':memory:');
  const closing: (() => unknown)[] = [() => db.destroy()];
  const submissions = new ClipSubmissionStore(db);
  const stores = { submissions, path: await mkdtemp(join(folder, 'judge-')) };
  const sources = { list: () => [], ready: ['commons'] as const, get: () => source, whyUnusable: () => undefined };
  const [videos] = await openClipChecking(
    { onClose: (close) => void closing.unshift(close) },
    { stores, sources, media, models },
  );
  if (!videos) throw new Error('There is no environment of videos.');
  let number = 0;
  return {
    /** What somebody's answer is worth. @param isLookedAt whether its first clip that counts is fetched and looked at */
    async judge(topic: string, handed: readonly HandedClip[], { isLookedAt = false } = {}) {
      const wanted = { of: 'videos', topic, count: 8 } as const;
      const task = { wanted, key: `${++number}`.padStart(32, '0'), isDrawn: isLookedAt, place: 0 };
      const judgement = await videos.judge(task, videosText(handed), { party: `miner ${number}` });
      const [kept] = await submissions.list({ rows: 1 });
      return { ...(await judgement), check: kept?.deep_check, clips: JSON.parse(kept?.clips ?? '[]') };
    },
    async [Symbol.asyncDispose]() {
      for (const close of closing) await close();
    },
  };
}

/** As an honest miner hands it in. */
export function handed({ row, vectors }: MinedClip): HandedClip {
  const { source, video: id, from_s: from, to_s: to, description, licence, attribution, page } = row;
  return {
    ...{ source, id, from, to, description, licence, attribution, page, space: row.space ?? '' },
    ...{ seen: vectors.seen as Float32Array, heard: vectors.heard ?? null },
    described: vectors['described-seen'] as Float32Array,
  };
}

/** What its score is made of, reckoned anew from its description. */
export async function toReckon({ row, vectors }: MinedClip, models: VectorModels) {
  const [description] = await models.texts([row.description], NEVER);
  const { uniqueTokens } = await models.pieces(row.description, NEVER);
  if (!description || !vectors.seen) throw new Error('It has no vectors.');
  return { video: vectors.seen, audio: vectors.heard ?? null, description, uniqueTokens };
}
