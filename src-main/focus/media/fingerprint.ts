import { differenceHash, HASH_FIELDS } from '../../../src-preload/contract/difference-hash.ts';
import { ones } from '../../base/ones.ts';
import { unforeseen } from '../../base/unforeseen.ts';
import { noPictures } from '../focus-problems.ts';
import type { Picture } from './codec/picture.ts';
import { shrunkLight } from './codec/scaled-picture.ts';
import { shownAt, spread } from './shown-pictures.ts';
import { msOf, VideoReader } from './video-reader.ts';

const SECOND_MS = 1_000;
/** Pictures of a second that are looked at, one of each of its thirds. */
const LOOKS = 3;
/** Of 255: where all fields are so alike, what differs between them is what the encoder left. */
const FLAT = 8;
const HASH_BITS = 64;

/**
 * How a video looks from second to second, so that the same pictures are found again in another file. All of it is decoded, once.
 *
 * Of each second three pictures are looked at, and the one that is most like the others counts. When exactly, nobody can foresee: else pictures that nobody sees
 * would stand just there.
 *
 * @param seconds from its first picture
 * @param onDone told how far it is, from 0 to 1
 * @param random 0 to below 1: where in its third of the second each picture is taken
 * @returns for each second 16 hex; null for one of a single shade
 * @throws BAD_REQUEST for what cannot be decoded
 */
export async function fingerprint(
  from: string,
  seconds: number,
  onDone: (done: number) => void,
  random: () => number = unforeseen,
): Promise<(string | null)[]> {
  await using video = await VideoReader.open(from);
  const first = await video.keyFrameFrom(0);
  if (!first) throw noPictures();
  const moments = spread(LOOKS * seconds, seconds * SECOND_MS, random).map((ms) => msOf(first) + ms);
  const looks: (string | null)[] = [];
  let hashed: { atMs: number; hash: string | null } | undefined;
  for await (const { atMs, picture } of shownAt(video, moments)) {
    if (hashed?.atMs !== atMs) hashed = { atMs, hash: hashOf(picture) };
    looks.push(hashed.hash);
    onDone(looks.length / moments.length);
  }
  return Array.from({ length: Math.ceil(looks.length / LOOKS) }, (_, second) =>
    typical(looks.slice(second * LOOKS, (second + 1) * LOOKS)),
  );
}

/** The one that differs least from the others; of several the one in the middle. */
function typical(looks: readonly (string | null)[]): string | null {
  const middle = Math.floor(looks.length / 2);
  const ranked = looks.map((look, index) => ({
    look,
    apart: looks.reduce((sum, other) => sum + bitsApart(look, other), 0),
    away: Math.abs(index - middle),
  }));
  return ranked.sort((a, b) => a.apart - b.apart || a.away - b.away)[0]?.look ?? null;
}

function bitsApart(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : HASH_BITS;
  const half = (hash: string, at: number) => Number.parseInt(hash.slice(at, at + 8), 16);
  return ones(half(one, 0) ^ half(other, 0)) + ones(half(one, 8) ^ half(other, 8));
}

function hashOf(picture: Picture): string | null {
  const { columns, rows } = HASH_FIELDS;
  const fields = shrunkLight(picture, { width: columns, height: rows });
  if (Math.max(...fields) - Math.min(...fields) < FLAT) return null;
  return differenceHash((column, row) => fields[row * columns + column] ?? 0);
}
