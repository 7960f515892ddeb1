import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { quieter, repacked } from '../../../../src-main/clips/calibration/copies.ts';

const picture = (width: number, height: number, colour: number) => ({
  ...{ width, height, rgb: new Uint8Array(width * height * 3).fill(colour) },
});

it('makes a picture half as large, and leaves what cannot be smaller as large as it is', () => {
  const sizes = [
    [64, 48],
    [65, 33],
    [1, 40],
    [1, 1],
  ].map(([width = 0, height = 0]) => {
    const copy = repacked(picture(width, height, 90));
    expect(copy.rgb.length).toBe(copy.width * copy.height * 3);
    return [copy.width, copy.height];
  });
  expect(sizes).toEqual([
    [32, 24],
    [32, 16],
    [1, 40],
    [1, 1],
  ]);
});

it('keeps what is to be seen in a picture, but for what JPEG loses', () => {
  const { rgb } = repacked(picture(32, 32, 90));
  expect(Math.max(...rgb.map((value) => Math.abs(value - 90)))).toBeLessThan(4);
  const [left, right] = [picture(32, 32, 0), 16];
  for (let y = 0; y < 32; y++) left.rgb.fill(250, (y * 32 + right) * 3, (y + 1) * 32 * 3);
  const { rgb: halves } = repacked(left);
  expect([halves[0] as number, halves.at(-1) as number]).toEqual([expect.closeTo(0, -1), expect.closeTo(250, -1)]);
});

it('makes a sound half as loud with a little noise, the same for the same seed, and lets others have a turn', async () => {
  const samples = Float32Array.from({ length: 600_000 }, (_, at) => Math.sin(at / 20));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const copy = await quieter(samples, seededRandom(1));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
  expect(copy.length).toBe(samples.length);
  const worst = copy.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (samples[at] as number) / 2)), 0);
  expect(worst).toBeGreaterThan(0.002);
  expect(worst).toBeLessThan(0.005);
  expect(await quieter(samples, seededRandom(1))).toEqual(copy);
  expect(await quieter(new Float32Array(0), seededRandom(1))).toEqual(new Float32Array(0));
});
