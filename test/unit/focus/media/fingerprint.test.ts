import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprint } from '../../../../src-main/focus/media/fingerprint.ts';
import { copied } from '../../../../src-main/subnets/omega/focus/rules/copy.ts';
import { inCommon, picturesOf } from '../../../../src-main/subnets/omega/focus/rules/picture-changes.ts';
import { writePainted, type Yuv } from '../../../support/painted-video.ts';
import { writeStream } from '../../../support/webm.ts';

const SECONDS = 40;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-fingerprint-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Another pattern every two or three seconds. @param seed of the patterns */
const patterned =
  (seed: number, shiftMs = 0) =>
  (x: number, y: number, atMs: number): Yuv => {
    const scene = Math.floor(((atMs + shiftMs) / 1_000) * 0.4);
    const field = Math.floor(x / 8) * 31 + Math.floor(y / 8) * 17 + scene * 101 + seed * 1_009;
    return [30 + ((field * field * 7) % 200), 128, 128];
  };

async function of(
  name: string,
  paint: (x: number, y: number, atMs: number) => Yuv,
  keyEveryMs = 2_000,
  pictureMs = 500,
) {
  const path = join(dir, name);
  const times = Array.from({ length: (SECONDS * 1_000) / pictureMs }, (_, index) => index * pictureMs);
  await writePainted(path, { width: 72, height: 64, times, keyEveryMs, paint });
  return fingerprint(path, SECONDS, () => undefined);
}

const asChanges = (pictures: (string | null)[]) => picturesOf(pictures.map((picture) => ({ picture })));

it('finds the same pictures encoded anew with other key frames, and cut, and not other ones', async () => {
  const one = await of('one.webm', patterned(1));
  expect(one).toHaveLength(SECONDS);
  expect(new Set(one).size).toBeGreaterThan(10);
  const again = await of('again.webm', patterned(1, 5_000), 7_000);
  const other = await of('other.webm', patterned(2));
  expect(copied(asChanges(one), asChanges(again))).toBeGreaterThanOrEqual(8);
  expect(copied(asChanges(one), asChanges(other))).toBe(0);
});

it('finds the same pictures where others are shown at each full second, or elsewhere, that nobody sees', async () => {
  const one = asChanges(await of('plain.webm', patterned(1), 2_000, 200));
  for (const flashMs of [0, 400, 800]) {
    const flashed = await of(
      `flash-${flashMs}.webm`,
      (x, y, atMs) => (atMs % 1_000 === flashMs ? patterned(3, 6 * atMs) : patterned(1))(x, y, atMs),
      2_000,
      200,
    );
    expect(inCommon(one, asChanges(flashed))).toBeGreaterThanOrEqual(0.7 * one.at.length);
  }
});

it('looks at moments of each second that are drawn, one of each third', async () => {
  const path = join(dir, 'drawn.webm');
  const times = Array.from({ length: 20 }, (_, index) => index * 100);
  // Others are shown in the first tenth of each third.
  const paint = (x: number, y: number, atMs: number) =>
    patterned(atMs % 1_000 === 0 || atMs % 1_000 === 300 || atMs % 1_000 === 600 ? 3 : 1)(x, y, 0);
  await writePainted(path, { width: 72, height: 64, times, keyEveryMs: 2_000, paint });
  const [early] = await fingerprint(
    path,
    2,
    () => undefined,
    () => 0.1,
  );
  const [late] = await fingerprint(
    path,
    2,
    () => undefined,
    () => 0.7,
  );
  expect(early).not.toEqual(late);
});

it('says nothing of what is of a single shade, and in words what cannot be decoded', async () => {
  expect(await of('black.webm', () => [16, 128, 128])).toEqual(Array(SECONDS).fill(null));
  const broken = join(dir, 'broken.webm');
  await writeStream(broken, { seconds: 4 });
  const failed = fingerprint(broken, 4, () => undefined);
  await expect(failed).rejects.toMatchObject({ said: { message: { key: 'focus.video.undecodable' } } });
});
