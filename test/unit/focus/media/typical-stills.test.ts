import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spread } from '../../../../src-main/focus/media/shown-pictures.ts';
import { typicalStills } from '../../../../src-main/focus/media/typical-stills.ts';
import { writePainted } from '../../../support/painted-video.ts';

/** Milliseconds at which something lights up for 40 of them, in a video that is black else, until it is light from 8 000 on. */
const FLASHES = [2_000, 5_000];
let dir: string;
let video: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-typical-'));
  video = join(dir, 'video.webm');
  const steady = Array.from({ length: 20 }, (_, index) => index * 500);
  const times = [...new Set([...steady, ...FLASHES.flatMap((at) => [at, at + 40])])].sort((a, b) => a - b);
  const isLight = (atMs: number) => FLASHES.includes(atMs) || atMs >= 8_000;
  await writePainted(video, {
    ...{ width: 64, height: 48, times, keyEveryMs: 1 },
    paint: (_x, _y, atMs) => [isLight(atMs) ? 220 : 16, 128, 128],
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function lightAt(...moments: number[]) {
  const job = { moments, side: 32 };
  const made = await Array.fromAsync(typicalStills(video, job, () => undefined));
  return made.map(({ atMs, jpeg: bytes }) => [atMs, (jpeg.decode(bytes).data[0] ?? 0) > 128]);
}

it('takes nothing that only flashes up, whenever it is looked for', async () => {
  expect(await lightAt(2_000, 2_020, 5_010, 5_500)).toEqual([
    [2_000, false],
    [2_020, false],
    [5_010, false],
    [5_500, false],
  ]);
});

it('takes what is shown then', async () => {
  expect(await lightAt(7_000, 8_700, 9_900)).toEqual([
    [7_000, false],
    [8_700, true],
    [9_900, true],
  ]);
});

it('moments are drawn within their shares', () => {
  const places = [0, 0.999, 0.25];
  expect(spread(3, 30_000, () => places.shift() ?? 0)).toEqual([0, 19_990, 22_500]);
  expect(spread(2, 10_000)).toEqual([2_500, 7_500]);
});
