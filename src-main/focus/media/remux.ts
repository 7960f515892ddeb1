import { noPictures, partsDiffer } from '../focus-problems.ts';
import { checkMade } from './check-made.ts';
import type { MadeVideo, MediaPart } from './media-tasks.ts';
import { msOf, type Shape, VideoReader } from './video-reader.ts';
import { VideoWriter } from './video-writer.ts';

/**
 * Makes one video of the parts of a recording: with a duration and cues, its packets as they are. Parts come one after the other; a part without one
 * picture is left out. Pictures may change their size from part to part: their codec says so within the stream.
 *
 * @param parts of each, as many bytes are read as it says: what somebody put behind them in its file is none of the recording
 * @param to a file that is not there
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST where there are no pictures, or parts that no one stream can hold
 */
export async function remux(
  parts: readonly MediaPart[],
  to: string,
  onDone: (done: number) => void,
): Promise<MadeVideo> {
  const { shape, bytes } = await lookAt(parts);
  const durationMs = await write(parts, to, shape, (read) => onDone(Math.min(1, read / bytes)));
  const kept = [{ fromMs: 0, toMs: durationMs }];
  return await checkMade(to, { durationMs, kept, hasSound: shape.audio !== null });
}

async function write(parts: readonly MediaPart[], to: string, shape: Shape, onRead: (bytes: number) => void) {
  await using writer = await VideoWriter.open(to, shape);
  let read = 0;
  for (const { path, bytes: most } of parts) {
    await using part = await VideoReader.open(path, { most });
    const first = await part.keyFrameFrom(0);
    if (!first) continue;
    const shiftMs = writer.endMs - msOf(first);
    for await (const timed of part.packetsFrom(first)) {
      await writer.add(timed, shiftMs);
      read += timed.packet.byteLength;
      onRead(read);
    }
  }
  await writer.finish();
  return writer.endMs;
}

/** What one stream of all of them is, and their bytes together. */
async function lookAt(parts: readonly MediaPart[]): Promise<{ shape: Shape; bytes: number }> {
  let bytes = 0;
  const shapes: Shape[] = [];
  for (const { path, bytes: most } of parts) {
    await using part = await VideoReader.open(path, { most });
    const shape = await part.shape();
    bytes += part.bytes;
    if (shape) shapes.push(shape);
  }
  return { shape: common(shapes), bytes };
}

function common(shapes: readonly Shape[]): Shape {
  const [first] = shapes;
  if (!first) throw noPictures();
  const sounds = shapes.flatMap(({ audio }) => audio ?? []);
  // Who plays more channels plays fewer, too.
  const [sound = null] = sounds.toSorted((a, b) => b.config.numberOfChannels - a.config.numberOfChannels);
  const differs = shapes.find(({ video }) => video.codec !== first.video.codec)?.video;
  if (differs) throw partsDiffer(first.video.codec, differs.codec);
  const soundDiffers = sounds.find(
    ({ codec, config }) => codec !== sound?.codec || config.sampleRate !== sound.config.sampleRate,
  );
  if (soundDiffers && sound) throw partsDiffer(soundOf(sound), soundOf(soundDiffers));
  return { video: first.video, audio: sound };
}

const soundOf = ({ codec, config }: NonNullable<Shape['audio']>) => `${codec}, ${config.sampleRate} Hz`;
