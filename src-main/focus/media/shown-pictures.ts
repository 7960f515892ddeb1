import type { EncodedPacket } from 'mediabunny';
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
  await refuseOthers(video);
  for (const ms of times) {
    if (exact) {
      yield* shownAt(video, [ms]);
      continue;
    }
    const shown = await keyPictureAt(video, ms);
    if (!shown) continue;
    using picture = shown.picture;
    yield { atMs: shown.atMs, picture };
  }
}

/**
 * What is shown at each of some times, in one pass: nothing is decoded twice, and nothing of what has none of the times in it.
 * @param times ascending
 * @throws BAD_REQUEST for what cannot be decoded
 */
export async function* shownAt(
  video: VideoReader,
  times: readonly number[],
): AsyncGenerator<ShownPicture, void, undefined> {
  await refuseOthers(video);
  for (let rest = times; rest[0] !== undefined; ) {
    const key = await video.keyFrameBefore(rest[0]);
    if (!key) return;
    const next = await video.keyFrameAfter(key);
    const endMs = next ? msOf(next) : Number.POSITIVE_INFINITY;
    const beyond = rest.findIndex((ms, index) => index > 0 && ms >= endMs);
    const inside = beyond === -1 ? rest : rest.slice(0, beyond);
    yield* shownIn(video, { key, endMs }, inside);
    rest = rest.slice(inside.length);
  }
}

/**
 * So many times, each within its share of a video.
 * @param place where in its share, from 0 to below 1; drawn by chance where nobody may know it before. Default: its middle
 */
export function spread(count: number, durationMs: number, place: () => number = () => 0.5): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((index + place()) * durationMs) / count));
}

/** @throws BAD_REQUEST where there are no pictures */
export async function coloursOf(video: VideoReader): Promise<Colours> {
  const shape = await video.shape();
  if (!shape) throw noPictures();
  const { matrix, fullRange } = shape.video.config.colorSpace ?? {};
  return { matrix: matrix ?? null, fullRange: fullRange ?? false };
}

/** @throws BAD_REQUEST for what has no pictures, or others than can be decoded here */
async function refuseOthers(video: VideoReader): Promise<void> {
  const shape = await video.shape();
  if (!shape) throw noPictures();
  if (shape.video.codec !== 'vp9') throw otherCodec(shape.video.codec);
}

async function keyPictureAt(video: VideoReader, ms: number): Promise<ShownPicture | undefined> {
  const key = await video.keyFrameBefore(ms);
  if (!key) return undefined;
  using decoder = await Vp9Decoder.open();
  const [atMs, picture] = [msOf(key), decoder.decode(key.data, msOf(key))];
  return picture && { atMs, picture };
}

/** Pictures from a key frame to the next. A time before the first of them has that one. */
async function* shownIn(
  video: VideoReader,
  { key, endMs }: { key: EncodedPacket; endMs: number },
  times: readonly number[],
): AsyncGenerator<ShownPicture, void, undefined> {
  using decoder = await Vp9Decoder.open();
  const left = [...times];
  let shown: ShownPicture | undefined;
  try {
    for await (const { packet, atMs } of video.picturesFrom(key)) {
      if (atMs >= endMs) break;
      while (shown && left[0] !== undefined && left[0] < atMs) {
        left.shift();
        yield shown;
      }
      if (left.length === 0) return;
      const picture = decoder.decode(packet.data, atMs);
      if (!picture) continue;
      shown?.picture[Symbol.dispose]();
      shown = { atMs, picture };
    }
    for (const _ of left) if (shown) yield shown;
  } finally {
    shown?.picture[Symbol.dispose]();
  }
}
