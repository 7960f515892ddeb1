import { rename, rm } from 'node:fs/promises';
import { MOST_CLIP_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { type MediaFacts, type Span, UnusableMedia } from './media.ts';
import type { ReadFacts } from './packets.ts';
import { guardedSpan, PICTURE, SOUND, seconds } from './strange-file.ts';

type Codecs = Pick<MediaFacts, 'videoCodec' | 'audioCodec'>;

const WEBM = { video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] };
const MP4 = { video: ['h264', 'hevc', 'mpeg4', 'av1'], audio: ['aac', 'mp3', 'ac3', 'alac'] };

/** What a copy is kept in: what browsers play where they play its codecs, and else what holds everything. */
export function containerOf({ videoCodec, audioCodec }: Codecs): 'webm' | 'mp4' | 'matroska' {
  const fits = ({ video, audio }: typeof WEBM) =>
    video.includes(videoCodec) && (audioCodec === null || audio.includes(audioCodec));
  if (fits(WEBM)) return 'webm';
  return fits(MP4) ? 'mp4' : 'matroska';
}

/** Where a copy of a stretch begins: at the last picture before it that needs no other, or the first. */
export function beginOfCopy({ keyFrames }: Pick<MediaFacts, 'keyFrames'>, from: number): number {
  return keyFrames.findLast((at) => at <= from + ROUNDING) ?? keyFrames[0] ?? 0;
}

/**
 * From when on packets are taken: the first of pictures is then that of `begin`, for others wait for one that needs no other.
 * ffmpeg goes by when a packet is read, which is before it is shown.
 */
function takenFrom({ keyFrames, delay }: ReadFacts, begin: number): number {
  const before = keyFrames.findLast((at) => at < begin);
  return before === undefined ? 0 : Math.max((before + begin) / 2, begin - delay - ROUNDING);
}

/** Times are rounded, to a thousandth at the most, by some containers. */
const ROUNDING = 0.002;

/**
 * Arguments that copy a stretch into a file. Nothing else of the old one gets into it: titles, chapters, subtitles, covers; and no time of day. It is read from
 * its beginning, for some containers do not know where a time is.
 */
export function copied(path: string, span: Span, output: string, facts: ReadFacts, mostBytes: number): string[] {
  const begin = takenFrom(facts, beginOfCopy(facts, span.from));
  const input = ['-fflags', '+genpts', ...guardedSpan(path, { from: 0, to: span.to })];
  const stretch = begin > 0 ? ['-ss', seconds(begin), '-t', seconds(span.to - begin)] : [];
  const streams = ['-map', PICTURE, ...(facts.audioCodec === null ? [] : ['-map', SOUND]), '-c', 'copy'];
  const without = [...['-map_metadata', '-1', '-map_chapters', '-1'], ...['-fflags', '+bitexact']];
  const container = containerOf(facts);
  const where = [...(container === 'mp4' ? ['-movflags', '+faststart'] : []), '-f', container, `file:${output}`];
  const bounded = ['-avoid_negative_ts', 'make_zero', '-fs', `${mostBytes}`, '-y'];
  return [...input, ...stretch, ...streams, ...without, ...bounded, ...where];
}

/** A second of sound, or a slow picture, may be at each end. */
const LEEWAY_SECONDS = 2;

/**
 * Holds a copy to what it was to be.
 * @throws UnusableMedia where it is another thing, shorter than asked, or longer than a clip may be
 */
export function checkCopy(made: MediaFacts, original: MediaFacts, { from, to }: Span): void {
  const isSame = made.videoCodec === original.videoCodec && made.audioCodec === original.audioCodec;
  const wanted = Math.min(to, original.seconds) - from;
  const seen = made.seconds - (made.keyFrames[0] ?? made.seconds);
  if (!isSame || wanted <= 0 || seen < wanted - LEEWAY_SECONDS) throw new UnusableMedia('damaged');
  if (made.seconds > MOST_CLIP_SECONDS + LEEWAY_SECONDS) throw new UnusableMedia('tooLong');
}

/** Has a file made beside its place, and put there once it is whole. */
export async function placed<Result>(to: string, make: (temporary: string) => Promise<Result>): Promise<Result> {
  const temporary = `${to}.part`;
  try {
    const result = await make(temporary);
    await rename(temporary, to);
    return result;
  } finally {
    await rm(temporary, { force: true });
  }
}
