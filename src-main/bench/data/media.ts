import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FoundPrograms } from '../../clips/media/ffmpeg-tool.ts';
import { FfmpegTool } from '../../clips/media/ffmpeg-tool.ts';
import { findMediaTool, lacking } from '../../clips/media/find-media-tool.ts';
import type { MediaFacts, Span } from '../../clips/media/media.ts';
import { SOUND_RATE } from '../../clips/media/sound-rates.ts';
import { PICTURE_SIDE, PICTURES_OF_A_CLIP } from '../../clips/models/clip-models.ts';
import { type BenchEvent, benchRow, note, perSecond } from '../row.ts';

export interface BenchMediaOptions {
  /** Videos of which a clip is made. Default: two that are made for it. */
  videos?: readonly string[] | undefined;
  /** Runs of each side. Default 5. */
  runs?: number;
  signal?: AbortSignal;
}

const CLIP_SECONDS = 30;
const run = promisify(execFile);

/** What is made: as most of what is found, and as what a browser records. */
const MADE = {
  'h264.mp4': ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '125', '-c:a', 'aac'],
  'vp9.webm': [
    ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M', '-g', '125'],
    ...['-c:a', 'libopus'],
  ],
} as const;

/**
 * Clips a minute as far as the media goes: looked at, eight pictures, sound and a copy of it, ÷ bare ffmpeg that is told to do the same in one call, and is
 * believed. Ours asks four processes or five, none of which may do harm; of long clips it decodes less.
 */
export async function* benchMedia({ videos, runs = 5, signal }: BenchMediaOptions): AsyncGenerator<BenchEvent> {
  const programs = await findMediaTool();
  if ('lacks' in programs) throw lacking(programs);
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    if (!videos) yield note('Making two videos …');
    for (const video of videos?.map((path) => resolve(path)) ?? (await makeVideos(programs, folder)))
      yield await row(programs, { video, folder, runs, signal: signal ?? new AbortController().signal });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function makeVideos({ ffmpeg }: FoundPrograms, folder: string): Promise<string[]> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=60', '-f', 'lavfi', '-i', 'sine=f=440:d=60'];
  for (const [name, codecs] of Object.entries(MADE))
    await run(ffmpeg, ['-v', 'error', ...source, ...codecs, join(folder, name)]);
  return Object.keys(MADE).map((name) => join(folder, name));
}

interface Measured {
  video: string;
  folder: string;
  runs: number;
  signal: AbortSignal;
}

async function row(programs: FoundPrograms, { video, folder, runs, signal }: Measured): Promise<BenchEvent> {
  const { ffmpeg } = programs;
  const facts = await new FfmpegTool({ programs }).probe(video, { signal });
  const from = facts.keyFrames.find((at) => at >= facts.seconds / 4) ?? 0;
  const span = { from, to: Math.min(facts.seconds, from + CLIP_SECONDS) };
  const sides = { ours: [] as number[], peer: [] as number[] };
  // In turns, so that what else the machine does falls upon both.
  for (let each = 0; each < runs; each++) {
    sides.ours.push(await aMinute(() => byUs(new FfmpegTool({ programs }), video, span, folder, signal)));
    sides.peer.push(
      await aMinute(() =>
        run(ffmpeg, bare(video, span, facts, folder), { encoding: 'buffer', maxBuffer: 2 ** 28, signal }),
      ),
    );
  }
  const name = `a clip of ${Math.round(span.to - span.from)} s, ${facts.width}×${facts.height}, ${basename(video)}`;
  return {
    type: 'row',
    row: benchRow({ bench: 'data', case: name, unit: 'clips/min', goal: '≥ 0.6', peerName: 'bare ffmpeg', ...sides }),
  };
}

async function aMinute(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return 60 * perSecond(1, began);
}

/** @param tool one that has seen nothing yet */
async function byUs(tool: FfmpegTool, video: string, span: Span, folder: string, signal: AbortSignal): Promise<void> {
  await tool.pictures(video, span, { count: PICTURES_OF_A_CLIP, side: PICTURE_SIDE, signal });
  await tool.sound(video, span, { rate: SOUND_RATE, signal });
  await tool.cut(video, span, join(folder, 'ours'), { signal });
}

/** The same as people write it who trust their files: decoded from the beginning of the clip to its end. */
export function bare(
  video: string,
  { from, to }: Span,
  { audioCodec, videoCodec }: MediaFacts,
  folder: string,
): string[] {
  const length = to - from;
  const pictures = `fps=${PICTURES_OF_A_CLIP}/${length},scale=${PICTURE_SIDE}:-2`;
  const container = videoCodec.startsWith('vp') ? 'webm' : 'matroska';
  const sound = ['-map', '0:a', '-ac', '1', '-ar', `${SOUND_RATE}`, '-f', 'f32le', join(folder, 'sound')];
  return [
    ...['-v', 'error', '-nostdin', '-y', '-threads', '1', '-ss', `${from}`, '-t', `${length}`, '-i', video],
    ...['-map', '0:v:0', '-vf', pictures, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
    ...(audioCodec === null ? [] : sound),
    ...[
      '-map',
      '0:v:0',
      ...(audioCodec === null ? [] : ['-map', '0:a']),
      '-c',
      'copy',
      '-f',
      container,
      join(folder, 'bare'),
    ],
  ];
}
