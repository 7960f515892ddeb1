import { copyFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chooseDemoModel, takeIn } from '../../../../src-main/app/demo/demo-model.ts';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { sha256OfFile } from '../../../../src-main/base/sha256.ts';
import { checkGguf } from '../../../../src-main/gguf/model-file.ts';

const TINY = installedPath('resources', 'tiny.gguf');

let folder: string;
let models: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-demo-model-'));
  models = join(folder, 'models');
  await mkdir(models);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const choose = (named?: string) => chooseDemoModel({ models, named }, folder);

it('takes the built-in model where there are no real weights, and shares a copy that is another file', async () => {
  const { model, real, sharedFile } = await choose();
  expect([model, real]).toEqual(['tiny', false]);
  expect((await checkGguf(sharedFile)).facts.name).toBe('Quarry demo');
  expect(await sha256OfFile(sharedFile)).not.toBe(await sha256OfFile(TINY));
  expect(await chooseDemoModel({ models: join(folder, 'none'), named: undefined }, folder)).toMatchObject({
    real: false,
  });
});

it('takes the smallest model of the user that can be read, and shares it', async () => {
  const path = join(models, 'mine.gguf');
  await copyFile(TINY, path);
  await writeFile(join(models, 'broken.gguf'), 'no model');
  expect(await choose()).toEqual({ model: path, real: true, second: path, sharedFile: path });
});

it('keeps what is large for the worker that one watches', async () => {
  const path = join(models, 'large.gguf');
  await copyFile(TINY, path);
  await truncate(path, 200_000_001); // takes no room on the disk
  expect(await choose('large')).toMatchObject({ model: path, real: true, second: 'tiny' });
  expect((await choose('large')).sharedFile).toMatch(/practice-copy\.gguf$/);
});

it('takes the one that is named, and says so where it is not there', async () => {
  await copyFile(TINY, join(models, 'mine.gguf'));
  expect(await choose('tiny')).toMatchObject({ model: 'tiny', real: false });
  expect(await choose('mine')).toMatchObject({ model: join(models, 'mine.gguf'), real: true });
  await expect(choose('nosuch')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

it('puts real weights among the models of a node, where they are', async () => {
  const path = join(folder, 'mine.gguf');
  await copyFile(TINY, path);
  const own = join(folder, 'node', 'models');
  expect(await takeIn(await choose(path), own)).toBe('mine');
  expect(await readdir(own)).not.toContain('mine.gguf');
  expect(await takeIn(await choose(), own)).toBe('tiny');
  const badlyNamed = join(folder, ' spaces at its ends .gguf');
  await copyFile(TINY, badlyNamed);
  expect(await takeIn(await choose(badlyNamed), own)).toBe(badlyNamed);
});
