import { differenceHash, HASH_FIELDS } from '../../../src-preload/contract/difference-hash.ts';
import { noPictures } from '../focus-problems.ts';
import type { Picture } from './codec/picture.ts';
import { shrunkLight } from './codec/scaled-picture.ts';
import { shownAt } from './shown-pictures.ts';
import { msOf, VideoReader } from './video-reader.ts';

const SECOND_MS = 1_000;
/** Of 255: where all fields are so alike, what differs between them is what the encoder left. */
const FLAT = 8;

/**
 * How a video looks from second to second, so that the same pictures are found again in another file. All of it is decoded, once.
 *
 * @param seconds from its first picture
 * @param onDone told how far it is, from 0 to 1
 * @returns for each second 16 hex; null for one of a single shade
 * @throws BAD_REQUEST for what cannot be decoded
 */
export async function fingerprint(
  from: string,
  seconds: number,
  onDone: (done: number) => void,
): Promise<(string | null)[]> {
  await using video = await VideoReader.open(from);
  const first = await video.keyFrameFrom(0);
  if (!first) throw noPictures();
  const times = Array.from({ length: seconds }, (_, second) => msOf(first) + second * SECOND_MS);
  const pictures: (string | null)[] = [];
  for await (const { picture } of shownAt(video, times)) {
    pictures.push(hashOf(picture));
    onDone(pictures.length / seconds);
  }
  return pictures;
}

function hashOf(picture: Picture): string | null {
  const { columns, rows } = HASH_FIELDS;
  const fields = shrunkLight(picture, { width: columns, height: rows });
  if (Math.max(...fields) - Math.min(...fields) < FLAT) return null;
  return differenceHash((column, row) => fields[row * columns + column] ?? 0);
}
