import { open, stat } from 'node:fs/promises';
import { fewKeyFrames, fewPictures, noPictures, notWhole, otherTracks, tooLong } from '../focus-problems.ts';
import type { InspectedVideo } from './media-tasks.ts';
import { picturesAt } from './shown-pictures.ts';
import { msOf, VideoReader } from './video-reader.ts';
import { contentsOf } from './webm-end.ts';

/** A screen that stands still is still taken about once a second; a video of fewer pictures than one in so many milliseconds was made by hand. */
const PICTURE_EVERY_MS = 10_000;
/** From one key frame to the next: four minutes of 15 pictures a second. All of them may have to be decoded for one that is looked at. */
const MOST_IN_GROUP = 3_600;

/** Bytes: a title, a description and what a recorder leaves free have a few thousand. */
const MOST_UNSEEN = 64 * 1024;

/**
 * Looks whether a file is a WebM video and nothing else: one track of pictures, one of sound at most, a first picture that can be decoded, packets that can
 * be read to the end of the file, enough pictures for its length, and key frames among them. Writes nothing.
 *
 * @param mostMs what is longer is not read to its end
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST that says what is wrong with it
 */
export async function inspect(from: string, mostMs: number, onDone: (done: number) => void): Promise<InspectedVideo> {
  await using video = await VideoReader.open(from);
  const first = await video.keyFrameFrom(0);
  const shape = await video.shape();
  if (!first || !shape) throw noPictures();
  const { size: bytes } = await stat(from);
  if (video.bytes !== bytes) throw notWhole();
  const hasSound = shape.audio !== null;
  const { tracks, unseen } = await inside(from, bytes);
  if (tracks !== (hasSound ? 2 : 1)) throw otherTracks();
  if (unseen > MOST_UNSEEN) throw notWhole();
  if (!(await hasPicture(video, msOf(first)))) throw noPictures();
  const saidMs = (await video.durationMs()) ?? Number.POSITIVE_INFINITY;
  let [lastMs, pictures, inGroup] = [msOf(first), 0, 0];
  for await (const { kind, packet, atMs, endMs } of video.packetsFrom(first)) {
    if (endMs - msOf(first) > mostMs) throw tooLong(mostMs);
    if (kind === 'video') {
      lastMs = Math.max(lastMs, endMs);
      pictures++;
      inGroup = packet.type === 'key' ? 1 : inGroup + 1;
      if (inGroup > MOST_IN_GROUP) throw fewKeyFrames(MOST_IN_GROUP);
    }
    onDone(Math.min(1, atMs / saidMs));
  }
  const durationMs = lastMs - msOf(first);
  if (pictures * PICTURE_EVERY_MS < durationMs) throw fewPictures(pictures, durationMs);
  return { durationMs, bytes, hasSound };
}

async function inside(path: string, bytes: number) {
  await using file = await open(path, 'r');
  return await contentsOf(file, bytes);
}

async function hasPicture(video: VideoReader, atMs: number): Promise<boolean> {
  for await (const _ of picturesAt(video, [atMs], false)) return true;
  return false;
}
