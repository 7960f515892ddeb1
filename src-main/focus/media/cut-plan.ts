import type { EncodedPacket } from 'mediabunny';
import type { Box, Span } from '../../../src-preload/contract/focus.ts';
import { noPictureIn } from '../focus-problems.ts';
import { hasHiddenPictures } from './codec/vp9-packet.ts';
import { msOf, type VideoReader } from './video-reader.ts';

/** To decode and encode a moment takes about so many times what copying it does. */
const ANEW_COSTS = 30;

/** Pictures from one key frame up to the next: none of them needs any before it. */
export interface Group {
  startMs: number;
  /** Where the next begins; infinite for the last of a video. */
  endMs: number;
  /** Whether it is decoded and encoded again; else its packets are copied. */
  anew: boolean;
}

/** A span of a video, and how each part of it comes to be in another one. */
export interface PlannedSpan {
  /** The first picture in it is where it begins. */
  fromMs: number;
  toMs: number;
  /** The key frame at or before that. */
  key: EncodedPacket;
  /** Ascending, without gaps; the first begins with `key`. */
  groups: Group[];
}

/**
 * What has to be encoded anew so that spans begin with exactly their first pictures, end exactly, and have their boxes: the groups that are cut at their
 * beginning, those that a box touches, and those cut at their end where packets have hidden pictures of later moments.
 *
 * @throws BAD_REQUEST for a span in which no picture begins
 */
export async function planCut(
  video: VideoReader,
  spans: readonly Span[],
  boxes: readonly Box[],
): Promise<PlannedSpan[]> {
  const plans: PlannedSpan[] = [];
  for (const span of spans) plans.push(await planSpan(video, span, boxes));
  return plans;
}

/** How much work a moment of a group is, compared with copying it. */
export const costOf = ({ anew }: Group): number => (anew ? ANEW_COSTS : 1);

async function planSpan(video: VideoReader, { fromMs, toMs }: Span, boxes: readonly Box[]): Promise<PlannedSpan> {
  const first = await video.pictureFrom(fromMs);
  const key = first && (await video.keyFrameBefore(msOf(first)));
  if (!key || msOf(first) >= toMs) throw noPictureIn({ fromMs, toMs });
  const groups: Group[] = [];
  for await (const { startMs, endMs } of groupsFrom(video, key)) {
    if (startMs >= toMs) break;
    const anew = startMs < msOf(first) || boxes.some((box) => box.fromMs < endMs && box.toMs > startMs);
    groups.push({ startMs, endMs, anew });
  }
  const last = groups.at(-1);
  if (last && !last.anew && toMs < last.endMs) last.anew = await hidesSome(video, last, toMs);
  return { fromMs: msOf(first), toMs, key, groups };
}

async function* groupsFrom(video: VideoReader, first: EncodedPacket) {
  let key = first;
  while (true) {
    const next = await video.keyFrameAfter(key);
    yield { startMs: msOf(key), endMs: next ? msOf(next) : Number.POSITIVE_INFINITY };
    if (!next) return;
    key = next;
  }
}

/** Whether a packet before the end hides pictures, and there are some after it. */
async function hidesSome(video: VideoReader, { startMs }: Group, toMs: number): Promise<boolean> {
  const key = await video.keyFrameBefore(startMs);
  if (!key) return false;
  let hides = false;
  for await (const { packet, atMs } of video.picturesFrom(key)) {
    if (atMs >= toMs) return hides;
    hides ||= hasHiddenPictures(packet.data);
  }
  return false;
}
