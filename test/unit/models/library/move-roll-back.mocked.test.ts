import * as fs from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
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

const log = { warn: vi.fn() };
const open = () => new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now, log });

beforeEach(async () => {
  log.warn.mockClear();
  dir = await realpath(await mkdtemp(join(tmpdir(), 'quarry-roll-back-')));
  folder = join(dir, 'models');
  library = open();
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

/** A move after which neither the link nor the folder has its place: the models lie aside, and where they were to go. */
async function moveAndStrand(to: string): Promise<void> {
  await refuseRenames(2);
  await expect(library.moveTo(to)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(`${folder}.moved`),
  });
  await library.close();
  for (const place of [`${folder}.moved`, to]) {
    expect((await readFile(join(place, 'one.gguf'))).equals(MODEL)).toBe(true);
  }
}

async function expectMoved(to: string): Promise<void> {
  expect(await realpath(folder)).toBe(to);
  expect(await library.names()).toContain('one');
  expect((await readdir(dir)).filter((name) => name.startsWith('models'))).toEqual(['models']);
}

it('says where the models are when the folder cannot be put back, and completes the move at the next start', async () => {
  const to = join(dir, 'away');
  await moveAndStrand(to);
  library = open();
  await library.open();
  await expectMoved(to);
});

it('says it again at each start that can do neither, instead of beginning with an empty folder', async () => {
  const to = join(dir, 'away');
  await moveAndStrand(to);
  for (let start = 0; start < 2; start++) {
    await refuseRenames(2);
    library = open();
    await expect(library.open()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`${folder}.moved`),
      hint: expect.stringContaining('start Quarry again'),
    });
    expect(await readdir(dir)).not.toContain('models');
  }
  await refuseRenames(0);
  library = open();
  await library.open();
  await expectMoved(to);
});

it('goes on from the old place when the link cannot take it at a start, and says so in the log', async () => {
  const to = join(dir, 'away');
  await moveAndStrand(to);
  await refuseRenames(1);
  library = open();
  await library.open();
  expect((await readFile(join(folder, 'one.gguf'))).equals(MODEL)).toBe(true);
  expect((await readdir(dir)).sort()).toEqual(['models']);
  expect(log.warn.mock.calls).toMatchObject([
    [{ err: { code: 'BAD_REQUEST', message: expect.stringContaining(to) } }, expect.any(String)],
  ]);
});

it('puts an empty folder away that somebody made in the place of the one aside', async () => {
  const to = join(dir, 'away');
  await moveAndStrand(to);
  await mkdir(folder);
  library = open();
  await library.open();
  await expectMoved(to);
});

it('leaves alone what somebody put in the place of the folder aside, and says what to do', async () => {
  const to = join(dir, 'away');
  await moveAndStrand(to);
  await mkdir(folder);
  await install(folder, 'two', ggufFile('two'), 2);
  library = open();
  await expect(library.open()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(`${folder}.moved`),
    hint: expect.stringContaining(`Move what is in ${folder}`),
  });
  for (const place of [`${folder}.moved`, to]) expect(await readdir(place)).toContain('one.gguf');
  expect(await readdir(folder)).toContain('two.gguf');

  await rm(folder, { recursive: true });
  library = open();
  await library.open();
  await expectMoved(to);
});

it('starts when the copies of a move that was given up cannot be deleted, and tries again at the next start', async () => {
  const [to, journal] = [join(dir, 'away'), `${folder}.move.json`];
  await mkdir(join(to, 'one.gguf', 'in the way'), { recursive: true });
  await writeFile(journal, JSON.stringify({ from: folder, to, placed: false }));
  await library.open();
  expect(await library.names()).toContain('one');
  expect(log.warn).toHaveBeenCalledOnce();
  expect(await readdir(dir)).toContain('models.move.json');

  await library.close();
  await rm(join(to, 'one.gguf'), { recursive: true });
  library = open();
  await library.open();
  expect(await readdir(dir)).toEqual(['models']);
});
