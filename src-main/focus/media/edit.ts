import type { Span } from '../../../src-preload/contract/focus.ts';
import { noKeyFrame, noPictures } from '../focus-problems.ts';
import { checkMade } from './check-made.ts';
import type { EditJob, MadeVideo } from './media-tasks.ts';
import { msOf, WebmReader } from './webm-reader.ts';
import { WebmWriter } from './webm-writer.ts';

/**
 * Writes spans of a video one after the other, its packets as they are. What is outside of them is not in the file: a span begins with the key frame at or
 * after its start, for pictures before that would have to be there to be decoded; it ends with the last packet that begins before its end.
 *
 * @param job `spans` ascending, apart from each other, null for all; `mute` leaves the sound out
 * @param to a file that is not there
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST for a span without a key frame, and where there are no pictures
 */
export async function edit(
  from: string,
  to: string,
  { spans, mute }: EditJob,
  onDone: (done: number) => void,
): Promise<MadeVideo> {
  await using video = await WebmReader.open(from);
  const shape = await video.shape();
  if (!shape) throw noPictures();
  const wanted = spans ?? [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
  const made = { ...shape, audio: mute ? null : shape.audio };
  const { kept, durationMs } = await write(video, to, { made, wanted }, onDone);
  return await checkMade(to, { durationMs, kept, hasSound: made.audio !== null });
}

async function write(
  video: WebmReader,
  to: string,
  { made, wanted }: { made: Parameters<typeof WebmWriter.open>[1]; wanted: readonly Span[] },
  onDone: (done: number) => void,
) {
  await using writer = await WebmWriter.open(to, made);
  const kept: Span[] = [];
  let read = 0;
  const onRead = (bytes: number) => {
    read += bytes;
    onDone(Math.min(1, read / video.bytes));
  };
  for (const span of wanted) kept.push(await append(video, writer, { span, mute: made.audio === null }, onRead));
  await writer.finish();
  return { kept, durationMs: writer.endMs };
}

/** @returns what of the span is there */
async function append(
  video: WebmReader,
  writer: WebmWriter,
  { span, mute }: { span: Span; mute: boolean },
  onRead: (bytes: number) => void,
): Promise<Span> {
  const { fromMs, toMs } = span;
  const first = await video.keyFrameFrom(fromMs);
  if (!first || msOf(first) >= toMs) throw noKeyFrame(span);
  const [start, base] = [msOf(first), writer.endMs];
  for await (const timed of video.packetsFrom(first)) {
    if (timed.atMs >= toMs) break;
    const isSound = timed.kind === 'audio';
    if (isSound && (mute || timed.endMs > toMs)) continue;
    await writer.add({ ...timed, endMs: Math.min(timed.endMs, toMs) }, base - start);
    onRead(timed.packet.byteLength);
  }
  return { fromMs: start, toMs: start + writer.endMs - base };
}
