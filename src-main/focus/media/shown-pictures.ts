import { noPictures, otherCodec } from '../focus-problems.ts';
import type { Picture } from './codec/picture.ts';
import type { Colours } from './codec/scaled-picture.ts';
import { Vp9Decoder } from './codec/vp9-decoder.ts';
import { msOf, type VideoReader } from './video-reader.ts';

export interface ShownPicture {
  /** When it begins, milliseconds. */
  atMs: number;
  /** Gone when the next one is asked for. */
  picture: Picture;
}

/**
 * The pictures that are shown at some times.
 * @param exact whether they are those, and not the key frames at or before, which take a single step to decode
 * @throws BAD_REQUEST for what cannot be decoded
 */
export async function* picturesAt(
  video: VideoReader,
  times: readonly number[],
  exact: boolean,
): AsyncGenerator<ShownPicture, void, undefined> {
  const shape = await video.shape();
  if (!shape) throw noPictures();
  if (shape.video.codec !== 'vp9') throw otherCodec(shape.video.codec);
  for (const ms of times) {
    const shown = await pictureAt(video, ms, exact);
    if (!shown) continue;
    using picture = shown.picture;
    yield { atMs: shown.atMs, picture };
  }
}

/** So many times, each in the middle of its share of a video. */
export function spread(count: number, durationMs: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * durationMs) / count));
}

/** @throws BAD_REQUEST where there are no pictures */
export async function coloursOf(video: VideoReader): Promise<Colours> {
  const shape = await video.shape();
  if (!shape) throw noPictures();
  const { matrix, fullRange } = shape.video.config.colorSpace ?? {};
  return { matrix: matrix ?? null, fullRange: fullRange ?? false };
}

async function pictureAt(video: VideoReader, ms: number, exact: boolean): Promise<ShownPicture | undefined> {
  const key = await video.keyFrameBefore(ms);
  if (!key) return undefined;
  using decoder = await Vp9Decoder.open();
  if (!exact) return found(msOf(key), decoder.decode(key.data, msOf(key)));
  let shown: ShownPicture | undefined;
  for await (const { packet, atMs } of video.picturesFrom(key)) {
    if (atMs > ms && shown) break;
    const picture = decoder.decode(packet.data, atMs);
    if (!picture) continue;
    shown?.picture[Symbol.dispose]();
    shown = { atMs, picture };
  }
  return shown;
}

const found = (atMs: number, picture: Picture | undefined) => picture && { atMs, picture };
