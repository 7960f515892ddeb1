import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { remux } from '../../../../src-main/focus/media/remux.ts';
import { strip } from '../../../../src-main/focus/media/strip.ts';
import { writePainted } from '../../../support/painted-video.ts';
import { wholeParts } from '../../../support/webm.ts';

const ignored = () => undefined;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-strip-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** One picture a second: dark for so long, then light. @returns the strip, and its picture */
async function stripOf(parts: { seconds: number; width: number; height: number; lightFrom: number }[]) {
  const [paths, to, video] = [[] as string[], join(dir, 'strip.jpg'), join(dir, 'video.webm')];
  for (const [index, { seconds, width, height, lightFrom }] of parts.entries()) {
    const path = join(dir, `part-${index}.webm`);
    const times = Array.from({ length: seconds }, (_, second) => second * 1_000);
    const paint = (_x: number, _y: number, atMs: number) => [atMs >= lightFrom * 1_000 ? 200 : 40, 128, 128] as const;
    await writePainted(path, { width, height, times, paint });
    paths.push(path);
  }
  await remux(await wholeParts(paths), video, ignored);
  const made = await strip(video, to, ignored);
  const picture = jpeg.decode(await readFile(to), { useTArray: true });
  const lightAt = (index: number, x = made.width / 2, y = made.height / 2) => {
    const column = Math.floor((index % made.columns) * made.width + x);
    const row = Math.floor(Math.floor(index / made.columns) * made.height + y);
    return picture.data[4 * (row * picture.width + column)] ?? 0;
  };
  return { ...made, picture, lightAt };
}

it('has a picture for each two seconds of a short video, in rows of ten, and says where all changed', async () => {
  const made = await stripOf([{ seconds: 24, width: 64, height: 36, lightFrom: 10 }]);
  expect(made).toMatchObject({ columns: 10, width: 64, height: 36 });
  expect(made.times).toEqual(Array.from({ length: 12 }, (_, index) => index * 2_000));
  expect([made.picture.width, made.picture.height]).toEqual([640, 72]);
  expect(made.times.map((atMs, index) => made.lightAt(index) > 150 === atMs >= 10_000)).toEqual(Array(12).fill(true));
  expect(made.changes.filter(({ share }) => share > 0.01)).toEqual([{ fromMs: 8_000, atMs: 10_000, share: 1 }]);
});

it('has 60 of a long one, and looks at more', async () => {
  const made = await stripOf([{ seconds: 300, width: 32, height: 16, lightFrom: 200 }]);
  expect(made.times).toHaveLength(60);
  expect([made.times[0], made.times.at(-1)]).toEqual([0, 294_000]);
  expect(made.changes).toHaveLength(149);
});

it('makes pictures 160 wide, and puts those of another shape into the middle of their cell', async () => {
  const made = await stripOf([
    { seconds: 4, width: 320, height: 180, lightFrom: 0 },
    { seconds: 4, width: 90, height: 180, lightFrom: 0 },
  ]);
  expect([made.width, made.height]).toEqual([160, 90]);
  expect(made.times).toEqual([0, 2_000, 4_000, 6_000]);
  expect([made.lightAt(1, 5), made.lightAt(3, 80)].every((light) => light > 180)).toBe(true);
  expect(made.lightAt(3, 5)).toBeLessThan(30);
});
