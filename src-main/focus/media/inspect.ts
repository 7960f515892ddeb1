import { open, stat } from 'node:fs/promises';
import { noPictures, notWhole, otherTracks } from '../focus-problems.ts';
import type { InspectedVideo } from './media-tasks.ts';
import { picturesAt } from './shown-pictures.ts';
import { msOf, VideoReader } from './video-reader.ts';
import { countTracks } from './webm-end.ts';

/**
 * Looks whether a file is a WebM video and nothing else: one track of pictures, one of sound at most, a first picture that can be decoded, packets that can
 * be read to the end of the file. Writes nothing.
 *
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST that says what is wrong with it
 */
export async function inspect(from: string, onDone: (done: number) => void): Promise<InspectedVideo> {
  await using video = await VideoReader.open(from);
  const first = await video.keyFrameFrom(0);
  const shape = await video.shape();
  if (!first || !shape) throw noPictures();
  const { size: bytes } = await stat(from);
  if (video.bytes !== bytes) throw notWhole();
  const hasSound = shape.audio !== null;
  if ((await tracksOf(from, bytes)) !== (hasSound ? 2 : 1)) throw otherTracks();
  if (!(await hasPicture(video, msOf(first)))) throw noPictures();
  const saidMs = (await video.durationMs()) ?? Number.POSITIVE_INFINITY;
  let lastMs = msOf(first);
  for await (const { kind, atMs, endMs } of video.packetsFrom(first)) {
    if (kind === 'video') lastMs = Math.max(lastMs, endMs);
    onDone(Math.min(1, atMs / saidMs));
  }
  return { durationMs: lastMs - msOf(first), bytes, hasSound };
}

async function tracksOf(path: string, bytes: number): Promise<number> {
  await using file = await open(path, 'r');
  return await countTracks(file, bytes);
}

async function hasPicture(video: VideoReader, atMs: number): Promise<boolean> {
  for await (const _ of picturesAt(video, [atMs], false)) return true;
  return false;
}
