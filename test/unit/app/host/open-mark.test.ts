import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OpenMark } from '../../../../src-main/app/host/open-mark.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-mark-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('a node that came to its end leaves no mark, one that was killed does', async () => {
  const first = await OpenMark.set(dataDir);
  expect([first.found, await readdir(dataDir)]).toEqual([false, ['quarry.open']]);
  await first.remove();
  expect(await readdir(dataDir)).toEqual([]);
  await OpenMark.set(dataDir); // and this one is killed
  expect((await OpenMark.set(dataDir)).found).toBe(true);
});

it('what a killed node left behind stays marked until it was looked at, however well later nodes end', async () => {
  await OpenMark.set(dataDir);
  for (let times = 0; times < 2; times++) {
    const later = await OpenMark.set(dataDir);
    expect(later.found).toBe(true);
    await later.remove();
  }
  const last = await OpenMark.set(dataDir);
  last.settle();
  await last.remove();
  expect((await OpenMark.set(dataDir)).found).toBe(false);
});
