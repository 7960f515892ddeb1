import type { Span } from '../../../src-preload/contract/focus.ts';
import { noPictures, otherCodec } from '../focus-problems.ts';
import { checkMade } from './check-made.ts';
import { costOf, type PlannedSpan, planCut } from './cut-plan.ts';
import { type KeepOptions, keptPictures } from './kept-pictures.ts';
import type { EditJob, MadeVideo } from './media-tasks.ts';
import { inOrder, type Shape, type TimedPacket, VideoReader } from './video-reader.ts';
import { VideoWriter, type WriterOptions } from './video-writer.ts';

/**
 * Writes spans of a video one after the other, and nothing of what is outside of them or under a box. A span begins with exactly the first picture at or
 * after its start and ends with the last that begins before its end. Packets are copied as they are, but for those that {@link planCut} has encoded anew;
 * of the sound, those that are whole within the span.
 *
 * @param job `spans` ascending, apart from each other, null for all; `mute` leaves the sound out; `boxes` in times of the whole video
 * @param to a file that is not there
 * @param onDone told how far it is, from 0 to 1
 * @throws BAD_REQUEST for a span in which no picture begins, where there are no pictures, and for what cannot be decoded
 */
export async function edit(
  from: string,
  to: string,
  { spans, mute, boxes, container, tags }: EditJob,
  onDone: (done: number) => void,
): Promise<MadeVideo> {
  await using video = await VideoReader.open(from);
  const shape = await video.shape();
  if (!shape) throw noPictures();
  const plans = await planCut(video, spans ?? [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }], boxes);
  checkCodec(shape, plans);
  const made = { ...shape, audio: mute ? null : shape.audio };
  const keep = { boxes, fullRange: shape.video.config.colorSpace?.fullRange ?? false };
  const as = { container, tags: tags ? tagsOf(tags) : undefined };
  const { kept, durationMs } = await write(video, to, { made, plans, keep, as }, onDone);
  return await checkMade(to, { durationMs, kept, hasSound: made.audio !== null }, container);
}

function checkCodec({ video: { codec } }: Shape, plans: readonly PlannedSpan[]): void {
  if (codec !== 'vp9' && plans.some(({ groups }) => groups.some(({ anew }) => anew))) throw otherCodec(codec);
}

interface Writing {
  made: Shape;
  plans: readonly PlannedSpan[];
  keep: Omit<KeepOptions, 'onCost'>;
  as: WriterOptions;
}

function tagsOf({ title, description, date }: NonNullable<EditJob['tags']>): WriterOptions['tags'] {
  return { title, date: new Date(date), ...(description && { description }) };
}

async function write(
  video: VideoReader,
  to: string,
  { made, plans, keep, as }: Writing,
  onDone: (done: number) => void,
) {
  await using writer = await VideoWriter.open(to, made, as);
  const total = costOfAll(plans, (await video.durationMs()) ?? 0);
  let spent = 0;
  const onCost = (cost: number) => {
    spent += cost;
    onDone(Math.min(1, spent / total));
  };
  const kept: Span[] = [];
  for (const plan of plans)
    kept.push(await append(video, writer, plan, { ...keep, onCost, mute: made.audio === null }));
  await writer.finish();
  return { kept, durationMs: writer.endMs };
}

/** @returns what of the span is there */
async function append(
  video: VideoReader,
  writer: VideoWriter,
  plan: PlannedSpan,
  { mute, ...keep }: KeepOptions & { mute: boolean },
): Promise<Span> {
  const { fromMs, toMs } = plan;
  const base = writer.endMs;
  const pictures = keptPictures(video, plan, keep);
  const tracks = mute ? [pictures] : [pictures, within(video.soundFrom(fromMs), toMs)];
  for await (const timed of inOrder(...tracks))
    await writer.add({ ...timed, endMs: Math.min(timed.endMs, toMs) }, base - fromMs);
  return { fromMs, toMs: fromMs + writer.endMs - base };
}

/** Sound that is whole before an end. */
async function* within(
  sound: AsyncGenerator<TimedPacket, void, undefined>,
  toMs: number,
): AsyncGenerator<TimedPacket, void, undefined> {
  for await (const timed of sound) {
    if (timed.endMs > toMs) return;
    yield timed;
  }
}

function costOfAll(plans: readonly PlannedSpan[], durationMs: number): number {
  const costs = plans.flatMap(({ toMs, groups }) =>
    groups.map((group) => costOf(group) * Math.max(0, Math.min(group.endMs, toMs, durationMs) - group.startMs)),
  );
  return Math.max(
    1,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
}
