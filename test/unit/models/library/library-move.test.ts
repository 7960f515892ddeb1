import { existsSync, writeFileSync } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelLibrary, type ModelLibraryOptions } from '../../../../src-main/models/library/library.ts';
import { LibraryLock } from '../../../../src-main/models/library/library-lock.ts';
import { ggufFile, install, linkBetweenDrives } from '../../../support/model-files.ts';

let dir: string;
let folder: string;
let library: ModelLibrary;

function open(options: Partial<ModelLibraryOptions> = {}): ModelLibrary {
  return new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now, ...options });
}

const CONTENT = { one: ggufFile(Buffer.alloc(3 << 20, '1')), two: ggufFile('two') };

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'quarry-move-')));
  folder = join(dir, 'models');
  await writeFile(join(dir, 'tiny.gguf'), ggufFile('tiny'));
  library = open();
  await mkdir(folder);
  await install(folder, 'one', CONTENT.one, 1);
  await install(folder, 'two', CONTENT.two, 2);
  await writeFile(join(folder, 'three.partial'), 'half');
  await mkdir(join(folder, 'deeper', 'still'), { recursive: true });
  await writeFile(join(folder, 'deeper', 'still', 'a.txt'), 'a');
});

afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

async function expectMovedTo(to: string): Promise<void> {
  expect((await lstat(folder)).isSymbolicLink()).toBe(true);
  expect(await realpath(folder)).toBe(to);
  const files = ['deeper', 'one.gguf', 'one.gguf.json', 'three.partial', 'two.gguf', 'two.gguf.json'];
  expect((await readdir(to)).filter((file) => file !== 'library.lock')).toEqual(files);
  expect((await readFile(join(to, 'one.gguf'))).equals(CONTENT.one)).toBe(true);
  expect(await readFile(join(to, 'deeper', 'still', 'a.txt'), 'utf8')).toBe('a');
  expect((await readdir(dir)).filter((name) => name.startsWith('models'))).toEqual(['models']);
}

async function expectUntouched(): Promise<void> {
  expect((await lstat(folder)).isDirectory()).toBe(true);
  expect((await readFile(join(folder, 'one.gguf'))).equals(CONTENT.one)).toBe(true);
  expect((await readdir(dir)).filter((name) => name.startsWith('models'))).toEqual(['models']);
}

describe.each([
  ['on the same drive', {}],
  ['to another drive', { link: linkBetweenDrives }],
])('moving the models %s', (_where, options) => {
  it('leaves a link, and everything works as before', async () => {
    library = open(options);
    const before = await library.list();
    const steps: number[] = [];
    await library.moveTo(join(dir, 'new', 'place'), { onProgress: (done, total) => steps.push(done / total) });
    await expectMovedTo(join(dir, 'new', 'place'));
    expect(steps.at(-1)).toBe(1);
    expect(await library.list()).toEqual(before); // paths and notes too: nothing was hashed again
    expect(await library.verify('one')).toMatchObject({ ok: true });
    await library.remove('two');
    expect(await readdir(join(dir, 'new', 'place'))).not.toContain('two.gguf');
  });

  it('can be done again, and clears the place in between', async () => {
    library = open(options);
    await library.moveTo(join(dir, 'second'));
    await library.moveTo(join(dir, 'third'));
    await expectMovedTo(join(dir, 'third'));
    expect(await readdir(dir)).not.toContain('second');
  });
});

describe('moving the models', () => {
  it('moves links to files elsewhere as links', async () => {
    await writeFile(join(dir, 'elsewhere.gguf'), ggufFile('elsewhere'));
    await symlink('../elsewhere.gguf', join(folder, 'linked.gguf'));
    library = open({ link: linkBetweenDrives });
    await library.moveTo(join(dir, 'a', 'b', 'c'));
    expect((await lstat(join(folder, 'linked.gguf'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'linked.gguf'))).toEqual(ggufFile('elsewhere'));
  });

  it.each<[string, () => string]>([
    ['a relative path', () => 'models2'],
    ['the folder itself', () => folder],
    ['a folder in it', () => join(folder, 'in')],
    ['a folder that is not empty', () => dir],
    ['a file', () => join(dir, 'tiny.gguf')],
    ['a path below a file', () => join(dir, 'tiny.gguf', 'x')],
  ])('refuses %s', async (_what, to) => {
    await expect(library.moveTo(to())).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'folder' });
    await expectUntouched();
  });

  it('refuses a way through a link into the folder itself', async () => {
    await symlink(folder, join(dir, 'way'));
    await expect(library.moveTo(join(dir, 'way', 'in'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses a drive without room before it copies anything, but needs no room on the same drive', async () => {
    library = open({ link: linkBetweenDrives, freeBytes: async () => CONTENT.one.length });
    await expect(library.moveTo(join(dir, 'new'))).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expectUntouched();
    library = open({ freeBytes: async () => 0 });
    await library.moveTo(join(dir, 'new'));
    await expectMovedTo(join(dir, 'new'));
  });

  it('is as if it had not been when it is given up', async () => {
    const given = new AbortController();
    library = open({ link: linkBetweenDrives });
    const work = { signal: given.signal, onProgress: () => given.abort() };
    await expect(library.moveTo(join(dir, 'new'), work)).rejects.toMatchObject({ code: 'CANCELLED' });
    await expectUntouched();
    expect(await readdir(dir)).not.toContain('new');
  });

  it('is as if it had not been when the folder cannot be put aside', async () => {
    await mkdir(`${folder}.moved`);
    await writeFile(join(`${folder}.moved`, 'not ours'), '');
    await expect(library.moveTo(join(dir, 'new'))).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'folder' });
    expect(await readdir(`${folder}.moved`)).toEqual(['not ours']);
    await rm(`${folder}.moved`, { recursive: true });
    await expectUntouched();
    expect(await readdir(dir)).not.toContain('new');
    await library.moveTo(join(dir, 'new'));
    await expectMovedTo(join(dir, 'new'));
  });

  it('takes along what somebody put into the folder meanwhile', async () => {
    library = open({ link: linkBetweenDrives });
    const onProgress = () => writeFileSync(join(folder, 'late.gguf'), ggufFile('late'));
    await library.moveTo(join(dir, 'new'), { onProgress });
    expect(await readFile(join(dir, 'new', 'late.gguf'))).toEqual(ggufFile('late'));
  });

  it.each([undefined, linkBetweenDrives])('keeps the folder for its node: %#', async (link) => {
    library = open({ ...(link && { link }) });
    await library.open();
    const other = vi.fn(() => expect(() => new LibraryLock(folder).take()).toThrow(/is in use by another node/));
    await library.moveTo(join(dir, 'new'), { onProgress: () => other.mock.calls.length === 0 && other() });
    expect(other).toHaveBeenCalledOnce();
    await expect(open({ folder: join(dir, 'new') }).open()).rejects.toMatchObject({ code: 'MODELS_IN_USE' });

    await library.moveTo(join(dir, 'newer'));
    expect(await readdir(join(dir, 'newer'))).toHaveLength(7);
    expect(existsSync(join(dir, 'new'))).toBe(false); // its lock file, too
    await library.close();
    const next = open({ folder: join(dir, 'newer') });
    await next.open();
    await next.close();
  });

  it('waits for an import, and imports wait for it', async () => {
    await writeFile(join(dir, 'before.gguf'), ggufFile('before'));
    await writeFile(join(dir, 'after.gguf'), ggufFile('after'));
    await Promise.all([
      library.import(join(dir, 'before.gguf')),
      library.moveTo(join(dir, 'new')),
      library.import(join(dir, 'after.gguf')),
    ]);
    expect(await readdir(join(dir, 'new'))).toEqual(expect.arrayContaining(['before.gguf', 'after.gguf']));
  });

  it('says when the drive with the models is not there, instead of serving the built-in one', async () => {
    await library.moveTo(join(dir, 'new'));
    await rename(join(dir, 'new'), join(dir, 'unplugged'));
    await expect(library.find()).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringContaining(join(dir, 'new')),
    });
    await expect(library.moveTo(join(dir, 'other'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await rename(join(dir, 'unplugged'), join(dir, 'new'));
    expect((await library.find()).name).toBe('two');
  });

  it('cut off with the new drive away goes on from the old place, and is completed once the drive is back', async () => {
    const [to, away] = [join(dir, 'new'), join(dir, 'unplugged')];
    await cp(folder, away, { recursive: true, preserveTimestamps: true });
    await rename(folder, `${folder}.moved`);
    await writeFile(`${folder}.move.json`, JSON.stringify({ from: folder, to, placed: true }));
    await library.open();
    expect((await library.find()).name).toBe('two');
    await library.remove('two');

    await rename(away, to);
    await library.close();
    library = open();
    await library.open();
    await expectMovedTo(to);
  });
});
