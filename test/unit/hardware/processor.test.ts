import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasAmx } from '../../../src-main/hardware/readings.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-processor-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['processor\t: 0\nflags\t\t: fpu avx2 amx_tile amx_int8 sse\nbugs\t\t: spectre_v1\n', true],
  ['processor\t: 0\nflags\t\t: fpu avx2 avx512f sse\nbugs\t\t: amx_int8\n', false],
  ['processor\t: 0\nFeatures\t: fp asimd i8mm\n', false],
])('knows from what Linux says whether there is AMX: %j', async (text, found) => {
  const file = join(folder, 'cpuinfo');
  await writeFile(file, text);
  expect(await hasAmx(file)).toBe(found);
});

it('takes a processor of which nothing is said for one without', async () => {
  expect(await hasAmx(join(folder, 'nothing'))).toBe(false);
});
