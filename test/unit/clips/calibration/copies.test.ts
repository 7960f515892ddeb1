import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { quieter, repacked } from '../../../../src-main/clips/calibration/copies.ts';

const picture = (width: number, height: number, colour: number) => ({
  ...{ width, height, rgb: new Uint8Array(width * height * 3).fill(colour) },
});

it('makes a picture half as large, and leaves what cannot be smaller as large as it is', async () => {
  for (const [size, half] of [
    [picture(64, 48, 90), [32, 24]],
    [picture(65, 133, 90), [32, 66]],
    [picture(1, 40, 90), [1, 40]],
    [picture(1, 1, 90), [1, 1]],
  ] as const) {
    const copy = await repacked(size);
    expect([copy.width, copy.height]).toEqual(half);
    expect(copy.rgb.length).toBe(copy.width * copy.height * 3);
  }
});

it('keeps what is to be seen in a picture, but for what JPEG loses', async () => {
  const { rgb } = await repacked(picture(32, 32, 90));
  expect(Math.max(...rgb.map((value) => Math.abs(value - 90)))).toBeLessThan(4);
  const [left, right] = [picture(32, 32, 0), 16];
  for (let y = 0; y < 32; y++) left.rgb.fill(250, (y * 32 + right) * 3, (y + 1) * 32 * 3);
  const { rgb: halves } = await repacked(left);
  expect([halves[0] as number, halves.at(-1) as number]).toEqual([expect.closeTo(0, -1), expect.closeTo(250, -1)]);
});

it('lets others have their turns while it packs a picture', async () => {
  let turns = 0;
  setImmediate(() => turns++);
  await repacked(picture(32, 32, 90));
  expect(turns).toBe(1);
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
