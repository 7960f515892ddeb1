import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { Changes } from '../../base/changes.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { ClipFolder } from '../../clips/kept/clip-folder.ts';
import type { MediaFacts, MediaTool, Span } from '../../clips/media/media.ts';
import { cleanUp } from '../../clips/mining/clean-up.ts';
import { DiskRoom } from '../../clips/mining/disk-room.ts';
import { Miner } from '../../clips/mining/miner.ts';
import type { Sources } from '../../clips/mining/ports.ts';
import { VideoSearch } from '../../clips/mining/video-search.ts';
import { VideoWork } from '../../clips/mining/video-work.ts';
import { FolderSource } from '../../clips/sources/folder-source.ts';
import { ClipJobStore } from '../../store/clips/clip-jobs.ts';
import { ClipStore } from '../../store/clips/clips.ts';
import { openDatabase } from '../../store/database.ts';
import type { MinedModels } from './mined-models.ts';
import { type Clock, timed } from './timed.ts';

/** A clip that was made, and of what: for whoever makes the same. */
interface MinedClip {
  path: string;
  span: Span;
  /** Of its whole video. */
  facts: MediaFacts;
}

export interface MinedOnce {
  clips: MinedClip[];
  /** From the first search to the end. */
  ms: number;
  /** Of it, milliseconds; those of the database are with the files of clips being put in their place. */
  parts: Record<'models' | 'media' | 'database', number>;
}

export interface ToMine {
  /** A folder of videos. */
  videos: string;
  /** For what is made. */
  place: string;
  models: MinedModels;
  media: MediaTool;
  signal: AbortSignal;
}

const MOST = { clips: 10_000, perVideo: 3, bytes: 1e12, fetched: 1e10 };
const never = () => () => undefined;

/** Makes clips of all videos of a folder, as a node does it, into a database of its own. */
export async function mineOnce({ videos, place, models, media, signal }: ToMine): Promise<MinedOnce> {
  const path = await mkdtemp(join(place, 'mined-'));
  const db = await openDatabase(join(path, 'quarry.db'));
  const [stored, seen]: [Clock, Clock] = [{ ms: 0 }, { ms: 0 }];
  const [jobs, clips] = [timed(new ClipJobStore(db), stored), timed(new ClipStore(db), stored)];
  const [folder, sources, log, now, changes] = [
    new ClipFolder(join(path, 'clips')),
    sourcesOf(videos),
    pino({ level: 'silent' }),
    Date.now,
    new Changes(),
  ];
  const room = new DiskRoom({ jobs, clips, folder, budget: () => MOST.bytes, free: () => freeBytes(path) });
  const takeDowns = { isTakenDown: async () => false };
  const reader = timed(media, seen);
  const tools = { ...models.tools, media: async () => reader };
  const search = new VideoSearch({ jobs, sources, takeDowns, now });
  const limits = () => ({ budget: MOST.bytes, fetched: MOST.fetched, clips: MOST.perVideo });
  const work = new VideoWork({
    ...{ jobs, clips, folder, room, sources, tools, takeDowns, limits, log, now },
    onMade: () => undefined,
  });
  const conditions = { against: () => [], subscribe: never };
  const miner = new Miner({ jobs, folder, search, work, tools, conditions, changes, log, now });
  try {
    await cleanUp({ jobs, clips, folder });
    const [before, began] = [models.clock.ms, performance.now()];
    await miner.mine({ topic: 'videos', sources: ['folder'], most: MOST.clips });
    while (miner.state.mining !== 'off') await changes.after(changes.count, signal);
    signal.throwIfAborted();
    const parts = { models: models.clock.ms - before, media: seen.ms, database: stored.ms };
    const ms = performance.now() - began;
    return { clips: await madeClips(clips, { videos, media, signal }), ms, parts };
  } finally {
    await miner.close();
    await db.destroy();
  }
}

/** One's own folder, and nothing else. */
function sourcesOf(videos: string): Sources {
  const source = new FolderSource(() => [videos]);
  return { list: () => [], ready: ['folder'], get: () => source, whyUnusable: () => undefined };
}

async function madeClips(
  clips: ClipStore,
  { videos, media, signal }: Pick<ToMine, 'videos' | 'media' | 'signal'>,
): Promise<MinedClip[]> {
  const made: MinedClip[] = [];
  for (const { video, from_s: from, to_s: to } of await clips.page({}, undefined, MOST.clips)) {
    const [, name = ''] = /^[^/]+\/(.+)#/s.exec(video) ?? []; // as the source names it
    const path = join(videos, name);
    made.push({ path, span: { from, to }, facts: await media.probe(path, { signal }) });
  }
  return made;
}
