import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installedPath } from '../../../../../src-main/base/installation.ts';
import { resized } from '../../../../../src-main/clips/models/vectors/picture-input.ts';
import { soundInput, soundStretches } from '../../../../../src-main/clips/models/vectors/sound-input.ts';

interface Reference {
  pictures: { width: number; height: number; side: number; resize: 'bilinear' | 'bicubic'; shades: number[] }[];
  sounds: { samples: number; shape: [number, number]; rows: number[]; values: number[][] }[];
}

/** By Pillow and transformers: see scripts/clip-input-vectors.py. */
const REFERENCE: Reference = JSON.parse(readFileSync(installedPath('test/fixtures/clips/inputs.json'), 'utf8'));

const CLAP = {
  ...{ input: 'input_features', output: 'audio_embeds', rate: 48_000 as const, seconds: 10 },
  ...{ bands: 64, window: 1_024, hop: 480, lowest: 50, highest: 14_000 },
};

/** The pictures and sounds of the script. */
const painted = (width: number, height: number) => ({
  ...{ width, height },
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * at * 7_919) % 251),
});
const played = (count: number) =>
  Float32Array.from({ length: count }, (_, sample) => {
    const at = sample / 48_000;
    return 0.4 * Math.sin(2 * Math.PI * (300 + 2_000 * at) * at) + 0.1 * Math.sin(2 * Math.PI * 7_000 * at);
  });

describe('what a model of pictures is given', () => {
  it.each(REFERENCE.pictures)('is what Pillow makes of $width × $height by $resize, but for a shade', (reference) => {
    const shades = resized(painted(reference.width, reference.height), reference.side, reference.resize);
    const apart = reference.shades.map((shade, at) => Math.abs(shade - (shades[at] as number)));
    expect(shades).toHaveLength(reference.shades.length);
    expect(Math.max(...apart)).toBeLessThanOrEqual(1);
  });
});

describe('what a model of sounds is given', () => {
  it.each(REFERENCE.sounds)('is what transformers makes of $samples samples', ({ samples, shape, rows, values }) => {
    const input = soundInput(played(samples), CLAP);
    expect(input).toHaveLength(shape[0] * shape[1]);
    const found = rows.map((row) => [...input.subarray(row * 64, (row + 1) * 64)]);
    const apart = values.flatMap((bands, row) =>
      bands.map((value, band) => Math.abs(value - (found[row]?.[band] ?? 0))),
    );
    expect(Math.max(...apart)).toBeLessThan(0.01);
  });

  it('is all of a short sound, and stretches spread evenly over a long one', () => {
    const seconds = (count: number) => ({ rate: 48_000, samples: new Float32Array(count * 48_000) });
    expect(soundStretches(seconds(9), 10).map(({ length }) => length)).toEqual([9 * 48_000]);
    const long = seconds(25);
    const stretches = soundStretches(long, 10);
    expect(stretches.map(({ byteOffset }) => byteOffset / 4 / 48_000)).toEqual([0, 7.5, 15]);
    expect(soundStretches(seconds(120), 10)).toHaveLength(6);
  });
});
