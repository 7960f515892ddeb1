import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FoundPrograms } from '../../clips/media/ffmpeg-tool.ts';
import { FfmpegTool } from '../../clips/media/ffmpeg-tool.ts';
import { findMediaTool, lacking } from '../../clips/media/find-media-tool.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { bare } from './media.ts';
import { openMinedModels } from './mined-models.ts';
import { type MinedOnce, mineOnce } from './mined-once.ts';

export interface BenchMiningOptions {
  /** All videos in it become clips. Default: twelve that are made for it. */
  folder?: string | undefined;
  /** With a folder for each model, of whatever kind. Default: no models. */
  models?: string | undefined;
  /** Default 5. */
  runs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const [VIDEOS, SECONDS] = [12, 12] as const;
const run = promisify(execFile);

/**
 * Clips a minute through the whole miner, from a folder of videos to rows and files: ÷ bare ffmpeg that is told in one call for each to make pictures, sound and a
 * copy of the same stretches; and what takes the time.
 */
export async function* benchMining(options: BenchMiningOptions): AsyncGenerator<BenchEvent> {
  const { folder, models: from, runs = 5, signal } = options;
  const programs = await findMediaTool();
  if ('lacks' in programs) throw lacking(programs);
  const place = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const models = await openMinedModels(from && resolve(from), place);
  try {
    if (folder === undefined) yield note(`Making ${VIDEOS} videos …`);
    const videos = folder === undefined ? await makeVideos(programs, place) : resolve(folder);
    const about = { videos, place, models, media: new FfmpegTool({ programs }), signal: signal ?? NEVER };
    const mined: MinedOnce[] = [];
    const peer: number[] = [];
    // In turns, so that what else the machine does falls upon both. The first one loads the models, and does not count.
    for (let each = 0; each <= runs; each++) {
      yield note(each === 0 ? 'once that does not count' : `run ${each} of ${runs}`);
      const once = await mineOnce(about);
      if (each === 0) continue;
      mined.push(once);
      peer.push(await barely(programs, once, place, about.signal));
    }
    yield* rows(mined, peer);
  } finally {
    await models.close();
    await rm(place, { recursive: true, force: true });
  }
}

const NEVER: AbortSignal = new AbortController().signal;

async function makeVideos({ ffmpeg }: FoundPrograms, place: string): Promise<string> {
  const folder = join(place, 'videos');
  await mkdir(folder);
  for (let at = 0; at < VIDEOS; at++) {
    const picture = `testsrc2=s=320x180:r=12:d=${SECONDS},hue=h=${30 * at}`;
    const sound = `sine=f=${220 + 40 * at}:d=${SECONDS}`;
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '24', '-c:a', 'aac'];
    const made = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, ...codecs, join(folder, `${at}.mp4`)];
    await run(ffmpeg, ['-v', 'error', ...made]);
  }
  return folder;
}

/** Clips a minute. */
async function barely(
  { ffmpeg }: FoundPrograms,
  { clips }: MinedOnce,
  place: string,
  signal: AbortSignal,
): Promise<number> {
  const began = performance.now();
  for (const { path, span, facts } of clips)
    await run(ffmpeg, bare(path, span, facts, place), { encoding: 'buffer', maxBuffer: 2 ** 28, signal });
  return aMinute(clips.length, performance.now() - began);
}

const aMinute = (clips: number, ms: number) => (60_000 * clips) / ms;

function* rows(mined: readonly MinedOnce[], peer: number[]): Generator<BenchEvent> {
  const count = mined[0]?.clips.length ?? 0;
  const ours = mined.map(({ clips, ms }) => aMinute(clips.length, ms));
  const all = { bench: 'data', case: `all of mining, ${count} clips`, unit: 'clips/min', goal: null };
  yield { type: 'row', row: benchRow({ ...all, ours, peerName: 'bare ffmpeg', peer }) };
  for (const part of ['models', 'media', 'database'] as const) {
    const shares = mined.map(({ ms, parts }) => parts[part] / ms);
    const about = { bench: 'data', case: `mining: share of ${part}`, unit: 'of the time', goal: null };
    yield { type: 'row', row: benchRow({ ...about, ours: shares }) };
  }
}
