import { openCodecs } from '../../src-main/focus/media/codec/codecs.ts';
import { Picture } from '../../src-main/focus/media/codec/picture.ts';

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
