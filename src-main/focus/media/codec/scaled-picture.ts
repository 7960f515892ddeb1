import jpeg from 'jpeg-js';
import type { Picture, Plane } from './picture.ts';

/** Red, green, blue and 255 for each pixel, row by row. */
export interface Rgba {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** How brightness and colours of a video are meant. */
export interface Colours {
  /** As WebCodecs names it; null where the video does not say. */
  matrix: string | null;
  /** Whether brightness has all of 0 to 255, and not 16 to 235. */
  fullRange: boolean;
}

/** From the two colours, which are differences of brightness, to red, green and blue. ITU-R BT.601 and BT.709, from their shares of red and blue. */
const BT601 = { red: 1.402, greenOfBlue: 0.344136, greenOfRed: 0.714136, blue: 1.772 };
const BT709 = { red: 1.5748, greenOfBlue: 0.187324, greenOfRed: 0.468124, blue: 1.8556 };
/** Where a video does not say: what browsers take then. */
const HD_ROWS = 720;
const QUALITY = 70;

/** A picture made smaller, each pixel the mean of those that it stands for. @param size no larger than the picture */
export function scaled(picture: Picture, size: { width: number; height: number }, colours: Colours): Rgba {
  const { width, height } = size;
  const [light, blue, red] = picture.planes().map((plane) => shrunk(plane, size)) as [Bytes, Bytes, Bytes];
  const isHd = colours.matrix === null ? picture.height >= HD_ROWS : colours.matrix === 'bt709';
  const matrix = isHd ? BT709 : BT601;
  const { fullRange } = colours;
  const [black, lightScale, colourScale] = fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224];
  const data = new Uint8ClampedArray(4 * width * height);
  for (let index = 0; index < width * height; index++) {
    const y = ((light[index] ?? 0) - black) * lightScale;
    const u = ((blue[index] ?? 0) - 128) * colourScale;
    const v = ((red[index] ?? 0) - 128) * colourScale;
    data[4 * index] = y + matrix.red * v;
    data[4 * index + 1] = y - matrix.greenOfBlue * u - matrix.greenOfRed * v;
    data[4 * index + 2] = y + matrix.blue * u;
    data[4 * index + 3] = 255;
  }
  return { width, height, data };
}

/** The size of a picture that is at most so wide; never larger than it is. */
export function fitted({ width, height }: { width: number; height: number }, mostWidth: number, mostHeight = Infinity) {
  const scale = Math.min(1, mostWidth / width, mostHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Its brightness alone, as {@link scaled}. */
export function shrunkLight(picture: Picture, size: { width: number; height: number }): Float32Array {
  return shrunk(picture.planes()[0] as Plane, size);
}

export function asJpeg({ width, height, data }: Rgba): Uint8Array {
  return jpeg.encode({ width, height, data }, QUALITY).data;
}

type Bytes = Float32Array;

function shrunk(plane: Plane, { width, height }: { width: number; height: number }): Bytes {
  const made = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const [top, bottom] = sourceOf(row, height, plane.height);
    for (let column = 0; column < width; column++) {
      const [left, right] = sourceOf(column, width, plane.width);
      made[row * width + column] = mean(plane, { top, bottom, left, right });
    }
  }
  return made;
}

/** Which pixels one stands for: at least one, for colours have fewer than brightness. */
function sourceOf(index: number, count: number, pixels: number): [number, number] {
  const from = Math.floor((index * pixels) / count);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * pixels) / count))];
}

interface Bounds {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

function mean({ bytes, stride }: Plane, { top, bottom, left, right }: Bounds): number {
  let sum = 0;
  for (let row = top; row < bottom; row++)
    for (let at = row * stride + left; at < row * stride + right; at++) sum += bytes[at] ?? 0;
  return sum / ((bottom - top) * (right - left));
}
