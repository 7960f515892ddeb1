import { EncodedPacket } from 'mediabunny';
import type { Box } from '../../../src-preload/contract/focus.ts';
import { Vp9Recoder } from './codec/vp9-recoder.ts';
import { costOf, type Group, type PlannedSpan } from './cut-plan.ts';
import type { TimedPacket, VideoReader } from './video-reader.ts';

export interface KeepOptions {
  /** Drawn on every picture that is shown while they are. */
  boxes: readonly Box[];
  fullRange: boolean;
  /** Told of each picture, what work it was: milliseconds of copying. */
  onCost: (cost: number) => void;
}

/** The pictures of a span, each as the packet that it was or as a new one: see {@link PlannedSpan}. */
export async function* keptPictures(
  video: VideoReader,
  { key, fromMs, toMs, groups }: PlannedSpan,
  { boxes, fullRange, onCost }: KeepOptions,
): AsyncGenerator<TimedPacket, void, undefined> {
  const ahead = [...groups];
  let group: Group | undefined;
  let recoder: Vp9Recoder | undefined;
  try {
    for await (const timed of video.picturesFrom(key)) {
      if (timed.atMs >= toMs) break;
      while (ahead[0] && ahead[0].startMs <= timed.atMs) {
        group = ahead.shift();
        recoder?.[Symbol.dispose]();
        recoder = group?.anew ? await Vp9Recoder.open(fullRange) : undefined;
      }
      const kept = recoder ? await anew(recoder, timed, { fromMs, boxes }) : timed;
      if (kept) yield kept;
      if (group) onCost((timed.endMs - timed.atMs) * costOf(group));
    }
  } finally {
    recoder?.[Symbol.dispose]();
  }
}

/** @returns undefined for what is not kept */
async function anew(
  recoder: Vp9Recoder,
  timed: TimedPacket,
  { fromMs, boxes }: { fromMs: number; boxes: readonly Box[] },
): Promise<TimedPacket | undefined> {
  const { packet, atMs, endMs } = timed;
  if (atMs < fromMs) return void recoder.skip(packet.data, atMs);
  const shown = boxes.filter((box) => box.fromMs < endMs && box.toMs > atMs);
  const made = await recoder.recode(packet.data, atMs, (picture) => {
    for (const box of shown) picture.cover(box);
  });
  return made && { ...timed, packet: new EncodedPacket(made.data, made.isKey ? 'key' : 'delta', atMs / 1_000, 0) };
}
