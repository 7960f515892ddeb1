import { say } from '../../../../../src-preload/contract/saying.ts';
import type { KeyFrame } from './questions.ts';
import { Unscored } from './unscored.ts';

/** So many pictures tell what was done; more cost more, and many models take no more. */
export const MOST_KEY_FRAMES = 24;
/** Pixels of the longer side: texts can be read, and little else is given away. */
export const MOST_PICTURE_SIDE = 640;
/** Of one picture: five times what a screenful of text has at that size. */
const MOST_PICTURE_BYTES = 512 * 1024;

/** Gives pictures out of a recording, spread over it: at most `most`, in their order, none wider or higher than {@link MOST_PICTURE_SIDE}. */
export type KeyFrames = (id: string, most: number, signal: AbortSignal) => Promise<KeyFrame[]>;

/** @throws Unscored for none, for too many, and for what is no JPEG of at most that size */
export function checkedFrames(frames: readonly KeyFrame[]): readonly KeyFrame[] {
  if (frames.length === 0) throw new Unscored(say('focusScore.unscored.noPictures'));
  const fit = frames.every(({ jpeg }) => jpeg.length <= MOST_PICTURE_BYTES && isSmall(jpegSize(jpeg)));
  if (frames.length <= MOST_KEY_FRAMES && fit) return frames;
  throw new Unscored(say('focusScore.unscored.pictures', { side: MOST_PICTURE_SIDE }));
}

const isSmall = (size: { width: number; height: number } | undefined) =>
  size !== undefined && Math.max(size.width, size.height) <= MOST_PICTURE_SIDE;

/** What a JPEG says of its size in its frame header (ITU-T T.81, B.2.2); undefined for what is none. */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xffc0 || marker === 0xffda) return undefined;
    // SOF0 to SOF15, without the tables among them: DHT, JPG, DAC.
    if (marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (view.getUint16(at + 2) < 2) return undefined;
  }
  return undefined;
}
