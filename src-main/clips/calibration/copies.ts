import { setImmediate as aTurn } from 'node:timers/promises';
import jpeg from 'jpeg-js';
import type { SeededRandom } from '../../base/seeded-random.ts';
import type { RawPicture } from '../media/media.ts';

const [QUALITY, NOISE] = [60, 0.01] as const;
/** Samples that are made quieter in one go: some milliseconds. */
const AT_ONCE = 1 << 16;

/** A copy of a picture that is half as large, and went through JPEG. Lets others have a turn between: packing and unpacking are ten milliseconds each. */
export async function repacked(picture: RawPicture): Promise<RawPicture> {
  const half = halved(picture);
  await aTurn();
  const packed = jpeg.encode(half, QUALITY);
  await aTurn();
  const { width, height, data } = jpeg.decode(packed.data, { useTArray: true, formatAsRGBA: false });
  return { width, height, rgb: data };
}

/** Every second dot of every second line, as the packer wants it: with a fourth byte. */
function halved({ width, height, rgb }: RawPicture): { width: number; height: number; data: Buffer } {
  const step = width > 1 && height > 1 ? 2 : 1;
  const [small, low] = [Math.floor(width / step), Math.floor(height / step)];
  const data = Buffer.alloc(small * low * 4, 255);
  for (let y = 0; y < low; y++)
    for (let x = 0; x < small; x++) {
      const [from, to] = [(y * width + x) * step * 3, (y * small + x) * 4];
      for (let colour = 0; colour < 3; colour++) data[to + colour] = rgb[from + colour] as number;
    }
  return { width: small, height: low, data };
}

/** A copy of a sound that is half as loud, with noise some forty-five decibels below. Lets others have a turn between. */
export async function quieter(samples: Float32Array, random: SeededRandom): Promise<Float32Array> {
  const noise = NOISE * (await loudness(samples));
  const copy = new Float32Array(samples.length);
  for (let from = 0; from < samples.length; from += AT_ONCE) {
    const end = Math.min(from + AT_ONCE, samples.length);
    for (let at = from; at < end; at++) copy[at] = (samples[at] as number) / 2 + noise * (random.uniform() - 0.5);
    await aTurn();
  }
  return copy;
}

/** The root of the mean square. */
async function loudness(samples: Float32Array): Promise<number> {
  let sum = 0;
  for (let from = 0; from < samples.length; from += AT_ONCE) {
    for (const sample of samples.subarray(from, from + AT_ONCE)) sum += sample * sample;
    await aTurn();
  }
  return Math.sqrt(sum / Math.max(1, samples.length));
}
