import { MAX_STILLS_BYTES } from '../../../src-preload/contract/focus-limits.ts';
import { stillsTooLarge } from '../focus-problems.ts';
import { asJpeg, fitted, scaled } from './codec/scaled-picture.ts';
import type { StillsJob } from './media-tasks.ts';
import { coloursOf, picturesAt, spread } from './shown-pictures.ts';
import { VideoReader } from './video-reader.ts';

/** A picture of a video, by itself. */
export interface Still {
  /** When it begins to be shown, milliseconds. */
  atMs: number;
  jpeg: Uint8Array;
}

/**
 * Single pictures of a video that has a duration and cues.
 * @throws BAD_REQUEST for what cannot be decoded, and where they are too many bytes together
 */
export async function* stills(from: string, { moments, side, exact }: StillsJob): AsyncGenerator<Still> {
  await using video = await VideoReader.open(from);
  const colours = await coloursOf(video);
  const times = 'atMs' in moments ? moments.atMs : spread(moments.count, (await video.durationMs()) ?? 0);
  let bytes = 0;
  for await (const { atMs, picture } of picturesAt(video, times, exact)) {
    const jpeg = asJpeg(scaled(picture, fitted(picture, side, side), colours));
    bytes += jpeg.length;
    if (bytes > MAX_STILLS_BYTES) throw stillsTooLarge();
    yield { atMs, jpeg };
  }
}
