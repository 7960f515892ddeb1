import * as fs from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import { ggufFile, install } from '../../../support/model-files.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, rename: vi.fn(real.rename) };
});

let dir: string;
let folder: string;
let library: ModelLibrary;
const rename = vi.mocked(fs.rename);
const MODEL = ggufFile('one');

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'quarry-roll-back-')));
  folder = join(dir, 'models');
  library = new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now });
  await mkdir(folder);
  await install(folder, 'one', MODEL, 1);
});

afterEach(async () => {
  rename.mockReset();
  const real = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises');
  rename.mockImplementation(real.rename);
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

/** Of all renames onto the model folder, lets the first so many fail, as a program that holds it open would. */
async function refuseRenames(count: number): Promise<void> {
  const real = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises');
  let left = count;
  rename.mockImplementation(async (from, to) => {
    if (to === folder && left-- > 0)
      throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    await real.rename(from, to);
  });
}

it('leaves everything as before when the link cannot take the folder’s place', async () => {
  await refuseRenames(1);
  await expect(library.moveTo(join(dir, 'away'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await readdir(dir)).sort()).toEqual(['models']);
  expect((await readFile(join(folder, 'one.gguf'))).equals(MODEL)).toBe(true);
});

it('says where the models are when the folder cannot be put back, and completes the move at the next start', async () => {
  const to = join(dir, 'away');
  await refuseRenames(2);
  const failure = library.moveTo(to);
  await expect(failure).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(`${folder}.moved`),
  });
  await library.close();
  for (const place of [`${folder}.moved`, to]) {
    expect((await readFile(join(place, 'one.gguf'))).equals(MODEL)).toBe(true);
  }
  library = new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now });
  await library.open();
  expect(await realpath(folder)).toBe(to);
  expect(await library.names()).toContain('one');
  expect((await readdir(dir)).filter((name) => name.startsWith('models'))).toEqual(['models']);
});
