import { link, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import { ggufFile } from '../../../support/model-files.ts';

let dir: string;
let library: ModelLibrary;
let clock = 1_000;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-library-'));
  await writeFile(join(dir, 'tiny.gguf'), ggufFile('tiny'));
  library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath: join(dir, 'tiny.gguf'), now: () => clock++ });
});

afterEach(() => rm(dir, { recursive: true, force: true }));

async function download(name: string, content: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, ggufFile(content));
  return path;
}

describe('the model library', () => {
  it('offers the built-in model when nothing was imported', async () => {
    expect((await library.list()).map(({ name, tiny }) => ({ name, tiny }))).toEqual([{ name: 'tiny', tiny: true }]);
    expect((await library.find()).tiny).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves out a file that cannot be read, says so once, and shows the others',
    async () => {
      const log = { warn: vi.fn() };
      const folder = join(dir, 'models');
      library = new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: () => clock++, log });
      await library.import(await download('sound.gguf', 'one'));
      const path = join(folder, 'circle.gguf');
      await symlink(path, path);
      const names = async () => (await library.list()).map(({ name }) => name);
      expect([await names(), await names()]).toEqual([
        ['sound', 'tiny'],
        ['sound', 'tiny'],
      ]);
      expect(log.warn).toHaveBeenCalledExactlyOnceWith(
        { err: expect.objectContaining({ code: 'ELOOP' }), model: 'circle' },
        expect.any(String),
      );
      await expect(library.find('circle')).rejects.toMatchObject({ code: 'ELOOP' });
      expect(await library.selected('circle')).toBeUndefined();
      expect(log.warn).toHaveBeenCalledOnce();
    },
  );

  it('takes a setting that names no model for none, without a word, and tells of one that is damaged', async () => {
    const log = { warn: vi.fn() };
    library = new ModelLibrary({ folder: join(dir, 'models'), tinyPath: join(dir, 'tiny.gguf'), now: Date.now, log });
    expect(await library.selected('missing')).toBeUndefined();
    expect(log.warn).not.toHaveBeenCalled();
    expect((await library.selected())?.name).toBe('tiny');
    await writeFile(join(dir, 'damaged.gguf'), 'no model');
    expect(await library.selected(join(dir, 'damaged.gguf'))).toBeUndefined();
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { err: expect.objectContaining({ code: 'MODEL_INVALID' }), model: join(dir, 'damaged.gguf') },
      expect.any(String),
    );
  });

  it('imports a file under its own name, with its hash, and prefers the newest', async () => {
    await library.import(await download('first.gguf', 'one'));
    const second = await library.import(await download('second.gguf', 'two'));
    expect(second).toMatchObject({ name: 'second', bytes: ggufFile('two').length, tiny: false });
    expect(second.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await library.list()).map(({ name }) => name)).toEqual(['second', 'first', 'tiny']);
    expect((await library.find()).name).toBe('second');
  });

  it('links instead of copying on the same drive, and leaves no partial file', async () => {
    const source = await download('big.gguf', 'bytes');
    const { path } = await library.import(source);
    expect((await stat(path)).ino).toBe((await stat(source)).ino);
    expect(await readdir(join(dir, 'models'))).toEqual(['big.gguf', 'big.gguf.json']);
  });

  it.skipIf(process.platform === 'win32')(
    'takes the file that a symbolic link points to, under the link’s name',
    async () => {
      const source = await download('blob', 'bytes');
      await symlink(source, join(dir, 'linked.gguf'));
      const { name, path } = await library.import(join(dir, 'linked.gguf'));
      expect(name).toBe('linked');
      expect((await lstat(path)).isFile()).toBe(true);
      await rm(join(dir, 'linked.gguf'));
      await rm(source);
      expect((await stat(path)).size).toBe(ggufFile('bytes').length);
    },
  );

  it('takes the same file twice and refuses another under the same name', async () => {
    const source = await download('model.gguf', 'same');
    await library.import(source);
    await expect(library.import(source)).resolves.toMatchObject({ name: 'model' });
    const other = await download('other.gguf', 'different');
    await expect(library.import(other, 'model')).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'name' });
  });

  it('remembers the hash of a file that was put into the folder by hand', async () => {
    await mkdir(join(dir, 'models'));
    await writeFile(join(dir, 'models', 'by-hand.gguf'), ggufFile('by hand'));
    const listed = await library.list();
    expect(await readdir(join(dir, 'models'))).toEqual(['by-hand.gguf', 'by-hand.gguf.json']);
    expect(await library.list()).toEqual(listed);
  });

  it('hashes again when a file was changed behind its back', async () => {
    const { path, sha256 } = await library.import(await download('model.gguf', 'before'));
    await rm(path);
    await link(await download('changed.gguf', 'after it'), path);
    const changed = (await library.list()).find(({ name }) => name === 'model');
    expect(changed?.sha256).not.toBe(sha256);
  });

  it.each(['not a model', 'GGUF', ''])('refuses «%s»', async (content) => {
    const path = join(dir, 'bad.gguf');
    await writeFile(path, content);
    await expect(library.import(path)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await expect(library.find(path)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });

  it.each(['../escape', 'tiny', 'local', 'Mesh', '', 'a/b', '.hidden'])('refuses the name «%s»', async (name) => {
    const source = await download('model.gguf', 'x');
    await expect(library.import(source, name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('says what there is when a name is unknown, and what is wrong when a file is missing', async () => {
    await expect(library.find('llama')).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      hint: expect.stringContaining('tiny'),
    });
    await expect(library.import(join(dir, 'gone.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await mkdir(join(dir, 'folder.gguf'));
    await expect(library.import(join(dir, 'folder.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('loads a file outside the library by its path', async () => {
    const path = await download('elsewhere.gguf', 'x');
    expect(await library.find(path)).toMatchObject({ name: 'elsewhere', path });
  });
});
