import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MediaTask, mediaTaskSchema } from '../../../../src-main/focus/media/media-tasks.ts';
import { remux } from '../../../../src-main/focus/media/remux.ts';
import { stills } from '../../../../src-main/focus/media/stills.ts';
import { writePainted, type Yuv } from '../../../support/painted-video.ts';
import { wholeParts, writeStream } from '../../../support/webm.ts';

const ignored = () => undefined;
/** Red and blue as BT.601 has them, in the left and the right half. */
const [RED, BLUE]: Yuv[] = [
  [82, 90, 240],
  [41, 240, 110],
];
let dir: string;
let video: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-stills-'));
  video = join(dir, 'video.webm');
  const part = join(dir, 'part-0.webm');
  const times = Array.from({ length: 100 }, (_, index) => index * 100);
  // Red while the half of a second is even, and else blue; in the lower half the other way round.
  const paint = (_: number, y: number, atMs: number) =>
    ((Math.floor(atMs / 500) + (y < 24 ? 0 : 1)) % 2 === 0 ? RED : BLUE) as Yuv;
  await writePainted(part, { width: 64, height: 48, times, paint });
  await remux(await wholeParts([part]), video, ignored);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

type Job = Parameters<typeof stills>[1];

async function taken(job: Partial<Job>) {
  const made = await Array.fromAsync(stills(video, { moments: { count: 3 }, side: 32, exact: false, ...job }));
  return made.map((still) => ({ atMs: still.atMs, ...jpeg.decode(still.jpeg, { useTArray: true }) }));
}

type Decoded = Awaited<ReturnType<typeof taken>>[number];
const colourAt = ({ data, width }: Decoded, x: number, y: number) => {
  const [red = 0, , blue = 0] = data.subarray(4 * (y * width + x));
  return red > 180 && blue < 80 ? 'red' : blue > 180 && red < 80 ? 'blue' : `${red} ${blue}`;
};

it('takes the key frames at or before times that are spread, in the colours of the video', async () => {
  const made = await taken({});
  expect(made.map(({ atMs }) => atMs)).toEqual([0, 4_000, 8_000]);
  expect(made.map(({ width, height }) => [width, height])).toEqual(Array(3).fill([32, 24]));
  expect(made.map((still) => [colourAt(still, 5, 4), colourAt(still, 25, 20)])).toEqual(Array(3).fill(['red', 'blue']));
});

it('takes exactly those that are shown at some times', async () => {
  const made = await taken({ moments: { atMs: [9_999, 650, 400] }, exact: true });
  expect(made.map(({ atMs }) => atMs)).toEqual([9_900, 600, 400]);
  expect(made.map((still) => colourAt(still, 5, 4))).toEqual(['blue', 'blue', 'red']);
});

it('makes none larger than it is', async () => {
  const [still] = await taken({ moments: { count: 1 }, side: 1_280 });
  expect([still?.width, still?.height]).toEqual([64, 48]);
});

it('is bounded in number, side and bytes', async () => {
  const task = { task: 'stills', from: 'a', moments: { count: 96 }, side: 1_280, exact: true };
  const isTaken = (change: object) => mediaTaskSchema.safeParse({ ...task, ...change } as MediaTask).success;
  expect(isTaken({})).toBe(true);
  expect(isTaken({ moments: { count: 97 } })).toBe(false);
  expect(isTaken({ moments: { atMs: Array(97).fill(0) } })).toBe(false);
  expect(isTaken({ moments: { atMs: [] } })).toBe(false);
  expect(isTaken({ side: 1_281 })).toBe(false);
});

it('says in words what it cannot decode', async () => {
  const broken = join(dir, 'broken.webm');
  await writeStream(join(dir, 'broken-part.webm'), { seconds: 4 });
  await remux(await wholeParts([join(dir, 'broken-part.webm')]), broken, ignored);
  const job: Job = { moments: { count: 1 }, side: 32, exact: false };
  const failed = Array.fromAsync(stills(broken, job));
  await expect(failed).rejects.toMatchObject({ said: { message: { key: 'focus.video.undecodable' } } });
});
