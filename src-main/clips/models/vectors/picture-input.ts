import type { RawPicture } from '../../media/media.ts';
import type { PictureShape } from '../files/model-manifest.ts';

/** For each pixel of the result, which pixels it is made of, and how much of each. */
interface Blend {
  from: number;
  weights: Float64Array;
}

const CHANNELS = 3;
/** What Pillow takes for bicubic. */
const A = -0.5;

const FILTERS = {
  bilinear: { reach: 1, weight: (at: number) => Math.max(0, 1 - Math.abs(at)) },
  bicubic: { reach: 2, weight: cubic },
};

/**
 * A picture as a model of pictures wants it: stretched to a square, each colour on its own, shifted and scaled.
 * Where it becomes smaller, every pixel counts, as in Pillow, by which such models have learnt: to a shade of its.
 *
 * @returns all of red, then of green, then of blue, row by row
 */
export function pictureInput(picture: RawPicture, { side, resize, mean, deviation }: PictureShape): Float32Array {
  const rgb = resized(picture, side, resize);
  const pixels = side * side;
  const input = new Float32Array(CHANNELS * pixels);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const [shift, scale] = [mean[channel] as number, deviation[channel] as number];
    for (let at = 0; at < pixels; at++)
      input[channel * pixels + at] = ((rgb[at * CHANNELS + channel] as number) / 255 - shift) / scale;
  }
  return input;
}

/** Whole shades after each direction, as Pillow keeps them. */
export function resized({ width, height, rgb }: RawPicture, side: number, how: PictureShape['resize']): Uint8Array {
  const narrow = across(rgb, { width, height, side }, blends(width, side, how));
  return down(narrow, side, blends(height, side, how));
}

function across(
  rgb: Uint8Array,
  { width, height, side }: { width: number; height: number; side: number },
  columns: readonly Blend[],
): Uint8Array {
  const out = new Uint8Array(height * side * CHANNELS);
  for (let row = 0; row < height; row++)
    for (const [column, { from, weights }] of columns.entries())
      for (let channel = 0; channel < CHANNELS; channel++) {
        let sum = 0;
        const first = (row * width + from) * CHANNELS + channel;
        for (let at = 0; at < weights.length; at++)
          sum += (weights[at] as number) * (rgb[first + at * CHANNELS] as number);
        out[(row * side + column) * CHANNELS + channel] = shade(sum);
      }
  return out;
}

function down(rgb: Uint8Array, side: number, rows: readonly Blend[]): Uint8Array {
  const stride = side * CHANNELS;
  const out = new Uint8Array(side * stride);
  for (const [row, { from, weights }] of rows.entries())
    for (let column = 0; column < stride; column++) {
      let sum = 0;
      for (let at = 0; at < weights.length; at++)
        sum += (weights[at] as number) * (rgb[(from + at) * stride + column] as number);
      out[row * stride + column] = shade(sum);
    }
  return out;
}

function blends(length: number, side: number, how: PictureShape['resize']): Blend[] {
  const { reach, weight } = FILTERS[how];
  const scale = length / side;
  const stretch = Math.max(scale, 1);
  return Array.from({ length: side }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const from = Math.max(0, Math.floor(centre - reach * stretch + 0.5));
    const to = Math.min(length, Math.floor(centre + reach * stretch + 0.5));
    const weights = Float64Array.from({ length: to - from }, (_, one) => weight((one + from - centre + 0.5) / stretch));
    const sum = weights.reduce((total, one) => total + one, 0);
    return { from, weights: weights.map((one) => one / sum) };
  });
}

function cubic(at: number): number {
  const x = Math.abs(at);
  if (x < 1) return ((A + 2) * x - (A + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * A : 0;
}

const shade = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
