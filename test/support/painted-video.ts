import { writeFile } from 'node:fs/promises';
import { openCodecs } from '../../src-main/focus/media/codec/codecs.ts';
import { Picture } from '../../src-main/focus/media/codec/picture.ts';
import { Vp9Decoder } from '../../src-main/focus/media/codec/vp9-decoder.ts';
import { Vp9Encoder } from '../../src-main/focus/media/codec/vp9-encoder.ts';
import { type Packet, readWebm, soundPackets, streamOf } from './webm.ts';

export type Yuv = readonly [light: number, blue: number, red: number];

/** A picture, each pixel as it is told. @param paint asked for every pixel of the brightness, and for every second of the colours */
export async function paintedPicture(
  { width, height }: { width: number; height: number },
  paint: (x: number, y: number) => Yuv,
): Promise<Picture> {
  const codecs = await openCodecs();
  const frame = codecs.av_frame_alloc_sync();
  codecs.AVFrame_width_s_sync(frame, width);
  codecs.AVFrame_height_s_sync(frame, height);
  codecs.AVFrame_format_s_sync(frame, 0);
  if (codecs.av_frame_get_buffer_sync(frame, 0) < 0) throw new Error('There is no memory left.');
  const picture = new Picture(codecs, frame);
  for (const [index, plane] of picture.planes().entries()) {
    const step = index === 0 ? 1 : 2;
    for (let row = 0; row < plane.height; row++)
      for (let column = 0; column < plane.width; column++)
        plane.bytes[row * plane.stride + column] = paint(step * column, step * row)[index] ?? 0;
  }
  return picture;
}

export interface PaintedOptions {
  width: number;
  height: number;
  /** When each picture begins, milliseconds. */
  times: readonly number[];
  /** Seconds of sound. Default: none. */
  sound?: number;
  /** Milliseconds from one key frame to the next. Default 2 000. */
  keyEveryMs?: number;
  paint: (x: number, y: number, atMs: number) => Yuv;
}

/** Writes one. @returns its packets */
export async function writePainted(path: string, options: PaintedOptions): Promise<Packet[]> {
  const { bytes, packets } = await paintedStream(options);
  await writeFile(path, bytes);
  return packets;
}

/** A stream as a browser’s recorder makes it, of pictures that can be decoded. */
export async function paintedStream(options: PaintedOptions): Promise<{ bytes: Buffer; packets: Packet[] }> {
  const { width, height, times, sound = 0, keyEveryMs = 2_000, paint } = options;
  const packets: Packet[] = [];
  let encoder: Vp9Encoder | undefined;
  let group = -1;
  for (const atMs of times) {
    if (Math.floor(atMs / keyEveryMs) !== group) {
      encoder?.[Symbol.dispose]();
      encoder = await Vp9Encoder.open({ width, height, fullRange: false });
      group = Math.floor(atMs / keyEveryMs);
    }
    const picture = await paintedPicture({ width, height }, (x, y) => paint(x, y, atMs));
    const { data, isKey } = (encoder as Vp9Encoder).encode(picture, atMs);
    packets.push({ kind: 'video', isKey, atMs, data: Buffer.from(data) });
  }
  encoder?.[Symbol.dispose]();
  const all = [...packets, ...soundPackets(sound)].sort((a, b) => a.atMs - b.atMs);
  return { bytes: await streamOf(all, { width, height, sound: sound > 0 }), packets: all };
}

export interface SeenPicture {
  atMs: number;
  width: number;
  height: number;
  /** What a pixel is, its colours being those of four. */
  at(x: number, y: number): Yuv;
}

/** Decodes all pictures of a video. @param see asked for each */
export async function seeAll(bytes: Uint8Array, see: (picture: SeenPicture) => void): Promise<void> {
  using decoder = await Vp9Decoder.open();
  for (const { data, atMs } of (await readWebm(bytes)).video ?? []) {
    using picture = decoder.decode(data, atMs);
    if (!picture) throw new Error(`The packet at ${atMs} ms shows nothing.`);
    const planes = picture.planes();
    const at = (x: number, y: number) =>
      planes.map(({ bytes, stride }, index) => {
        const step = index === 0 ? 1 : 2;
        return bytes[Math.floor(y / step) * stride + Math.floor(x / step)] ?? 0;
      }) as unknown as Yuv;
    see({ atMs, width: picture.width, height: picture.height, at });
  }
}
