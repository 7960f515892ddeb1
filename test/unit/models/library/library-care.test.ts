import { constants } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileHashes } from '../../../../src-main/models/library/file-hashes.ts';
import { ModelLibrary, type ModelLibraryOptions } from '../../../../src-main/models/library/library.ts';
import { modelBytes } from '../../../../src-preload/contract/sizes.ts';
import { ggufFile, linkBetweenDrives, sha256Of } from '../../../support/model-files.ts';

let dir: string;
let folder: string;
let library: ModelLibrary;

function open(options: Partial<ModelLibraryOptions> = {}): ModelLibrary {
  return new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: Date.now, ...options });
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-care-'));
  folder = join(dir, 'models');
  await mkdir(folder);
  await writeFile(join(dir, 'tiny.gguf'), ggufFile('tiny'));
  library = open();
});

afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

async function source(bytes: Buffer): Promise<string> {
  const path = join(dir, 'm.gguf');
  await writeFile(path, bytes);
  return path;
}

const BIG = ggufFile(Buffer.alloc(5 << 20, 'x'));

describe('verifying', () => {
  it('reads a model again and says so when a byte of it turned', async () => {
    await library.import(await source(BIG));
    const steps: number[] = [];
    const good = await library.verify('m', { onProgress: (done, total) => steps.push(done / total) });
    expect(good).toEqual({ ok: true, found: sha256Of(BIG), expected: sha256Of(BIG) });
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.at(-1)).toBe(1);

    const { mtimeMs } = await stat(join(folder, 'm.gguf'));
    const file = await openFile(join(folder, 'm.gguf'), constants.O_RDWR);
    await file.write('y', 1 << 20);
    await file.close();
    await utimes(join(folder, 'm.gguf'), new Date(), mtimeMs / 1_000); // a fault of the drive does not change the time
    expect(await library.verify('m')).toMatchObject({ ok: false, expected: sha256Of(BIG) });
  });

  it('compares with what the model was even when its time changed too', async () => {
    await library.import(await source(BIG));
    const turned = Buffer.from(BIG);
    turned[1_000] = 1;
    await writeFile(join(folder, 'm.gguf'), turned);
    expect(await library.verify('m')).toEqual({ ok: false, found: sha256Of(turned), expected: sha256Of(BIG) });
  });

  it('is not misled by a look at the changed file, which is loaded no more until it is what it was', async () => {
    await library.import(await source(BIG));
    const turned = ggufFile('turned');
    for (const bytes of [turned, ggufFile('and again'), turned]) {
      await writeFile(join(folder, 'm.gguf'), bytes);
      expect((await library.list()).map(({ name, origin, sha256 }) => [name, origin, sha256])).toEqual([
        ['tiny', 'built-in', expect.any(String)],
        ['m', 'found', sha256Of(bytes)],
      ]);
    }
    library = open();
    expect(await library.verify('m')).toEqual({ ok: false, found: sha256Of(turned), expected: sha256Of(BIG) });
    expect((await library.find()).name).toBe('tiny');
    await writeFile(join(folder, 'm.gguf'), BIG);
    expect(await library.find()).toMatchObject({ name: 'm', origin: 'imported' });
    expect(await library.verify('m')).toMatchObject({ ok: true });
  });

  it('takes a changed file for what it is once its owner imports it', async () => {
    await library.import(await source(BIG));
    const changed = ggufFile('changed');
    await writeFile(join(folder, 'm.gguf'), changed);
    await library.list();
    await library.import(join(folder, 'm.gguf'));
    expect(await library.verify('m')).toEqual({ ok: true, found: sha256Of(changed), expected: sha256Of(changed) });
  });

  it('compares with what is known from elsewhere', async () => {
    await library.import(await source(BIG));
    const known = 'a'.repeat(64);
    expect(await library.verify('m', {}, known)).toEqual({ ok: false, found: sha256Of(BIG), expected: known });
    expect(await library.verify('m', {}, sha256Of(BIG))).toMatchObject({ ok: true });
  });

  it('can be given up, and knows its models', async () => {
    await library.import(await source(BIG));
    const work = { signal: AbortSignal.abort() };
    await expect(library.verify('m', work)).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(library.verify('n')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await expect(library.verify('../m')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    expect(await library.verify('tiny')).toMatchObject({ ok: true });
  });
});

describe('a note that cannot be read', () => {
  const note = () => join(folder, 'm.gguf.json');
  beforeEach(async () => {
    await library.import(await source(BIG));
    await rename(note(), join(dir, 'note'));
    await symlink('m.gguf.json', note()); // leads to itself: whoever reads it fails
  });

  it('is not replaced: the model counts as found until it can be read again', async () => {
    const warn = vi.fn();
    library = open({ log: { warn } });
    await library.open();
    expect(await library.find('m')).toMatchObject({ origin: 'found', sha256: sha256Of(BIG) });
    expect((await library.list()).map(({ name }) => name)).toEqual(['tiny', 'm']);
    expect((await library.find()).name).toBe('tiny');
    expect(warn).toHaveBeenCalledTimes(1);
    expect((await lstat(note())).isSymbolicLink()).toBe(true);
    await rm(note());
    await rename(join(dir, 'note'), note());
    expect(await library.find()).toMatchObject({ name: 'm', origin: 'imported' });
  });

  it('leaves open what the model should be, unless that is known from elsewhere', async () => {
    await expect(library.verify('m')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/not known.*m\.gguf\.json.*ELOOP/),
    });
    expect(await library.verify('m', {}, sha256Of(BIG))).toMatchObject({ ok: true });
  });
});

describe('removing', () => {
  it('deletes model and note, and nothing else', async () => {
    await library.import(await source(BIG));
    await library.import(join(dir, 'tiny.gguf'), 'other');
    await library.remove('m');
    expect(await readdir(folder)).toEqual(['other.gguf', 'other.gguf.json']);
    await expect(library.remove('m')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await expect(library.remove('../tiny')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('refuses the built-in model and the one that is loaded', async () => {
    library = open();
    const { path } = await library.import(await source(BIG));
    await expect(library.remove('tiny')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(library.remove('m', () => [path])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.any(String),
    });
    await library.remove('m', () => []);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('importing from another drive', () => {
  beforeEach(() => {
    library = open({ link: linkBetweenDrives });
  });

  it('copies, with progress, and hashes what it copied', async () => {
    const steps: number[] = [];
    const model = await library.import(await source(BIG), 'm', { onProgress: (done) => steps.push(done) });
    expect(model.sha256).toBe(sha256Of(BIG));
    expect(steps.at(-1)).toBe(BIG.length);
    expect(steps.length).toBeGreaterThan(3);
    expect((await readFile(model.path)).equals(BIG)).toBe(true);
  });

  it('leaves nothing behind when it is given up', async () => {
    const given = new AbortController();
    const path = await source(BIG);
    const work = { signal: given.signal, onProgress: () => given.abort() };
    await expect(library.import(path, 'm', work)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing behind when the node ends meanwhile', async () => {
    const path = await source(BIG);
    const closings: Promise<void>[] = [];
    const imported = library.import(path, 'm', { onProgress: () => closings.push(library.close()) });
    await expect(imported).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(closings.length).toBeGreaterThan(0);
    await Promise.all(closings);
    expect(await readdir(folder)).toEqual([]);
  });
});

it('leaves a file that cannot be read out of the list', async () => {
  await mkdir(join(folder, 'm.gguf')); // what else cannot be read depends on who runs this
  await writeFile(join(folder, 'n.gguf'), ggufFile('n'));
  expect((await library.list()).map(({ name }) => name)).toEqual(['tiny', 'n']);
});

it('names its models without reading them', async () => {
  await writeFile(join(folder, 'm.gguf'), BIG);
  await mkdir(join(folder, 'n.gguf'));
  expect(await library.names()).toEqual(['m', 'tiny']);
  expect(await readdir(folder)).toEqual(['m.gguf', 'n.gguf']); // a note would have been written
});

it('clears away what a killed import left, and leaves downloads and files of others alone', async () => {
  const left = ['a.gguf.importing', 'c.gguf.json.0123456789ab.tmp', 'pins.json.0123456789ab.tmp'];
  const kept = [
    'd.partial',
    'd.download.json',
    'e.gguf',
    'e.gguf.json',
    'foreign.gguf.json',
    'pins.json',
    'readme.txt',
  ];
  for (const file of [...left, ...kept]) await writeFile(join(folder, file), '{}');
  const note = { sha256: sha256Of(BIG), bytes: BIG.length, importedAt: 1 };
  await writeFile(join(folder, 'b.gguf.json'), JSON.stringify(note));
  await library.open();
  expect(await readdir(folder)).toEqual([...kept, 'library.lock'].sort());
});

describe('a folder of two nodes', () => {
  const other = () => open({ folder: join(dir, 'same') });
  beforeEach(async () => {
    await library.open();
    await symlink(folder, join(dir, 'same'), 'junction');
  });

  it('belongs to the first, whose imports go on', async () => {
    await writeFile(join(folder, 'm.gguf.importing'), 'half');
    const second = other();
    await expect(second.open()).rejects.toMatchObject({
      code: 'MODELS_IN_USE',
      message: expect.stringContaining(join(dir, 'same')),
      hint: expect.stringContaining('models.folder'),
    });
    expect(await readdir(folder)).toContain('m.gguf.importing');
    expect((await second.list()).map(({ name }) => name)).toEqual(['tiny']); // looking is allowed
    await second.close();
    await expect(other().open()).rejects.toMatchObject({ code: 'MODELS_IN_USE' });
  });

  it('is free for the second once the first is closed', async () => {
    await library.close();
    const second = other();
    await second.open();
    await expect(open().open()).rejects.toMatchObject({ code: 'MODELS_IN_USE' });
    await second.close();
  });

  it('is free for the first again when it could not be opened', async () => {
    await library.close();
    await writeFile(join(folder, 'pins.json'), '{');
    await expect(open().open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await rm(join(folder, 'pins.json'));
    library = open();
    await library.open();
  });
});

it('says what takes room: models, and of downloads what is really there', async () => {
  library = open({ freeBytes: async () => 7 });
  await library.import(await source(BIG));
  const file = await openFile(join(folder, 'd.partial'), 'w');
  await file.truncate(1 << 30);
  await file.write(Buffer.alloc(1 << 20), 0, 1 << 20, 1 << 20);
  await file.close();
  const { partial, ...use } = await library.diskUse();
  expect(use).toEqual({ folder, free: 7, models: [{ name: 'm', bytes: BIG.length }] });
  expect(partial).toEqual([{ name: 'd', bytes: expect.toSatisfy((bytes: number) => bytes < 4 << 20) }]);
  expect((await open({ folder: join(dir, 'not', 'yet') }).diskUse()).free).toBeGreaterThan(0);
});

it('counts a file once that has two names', async () => {
  library = open();
  await library.import(await source(BIG));
  await link(join(folder, 'm.gguf'), join(folder, 'n.gguf'));
  const use = await library.diskUse();
  expect(use.models).toEqual([
    { name: 'm', bytes: BIG.length },
    { name: 'n', bytes: BIG.length, sameAs: 'm' },
  ]);
  expect(modelBytes(use)).toBe(BIG.length);
});

describe('hashes', () => {
  it('are computed once for a state of a file, however many ask', async () => {
    const path = await source(BIG);
    const hashes = new FileHashes();
    const mark = { bytes: BIG.length, modifiedAt: 1 };
    const all = await Promise.all(Array.from({ length: 20 }, () => hashes.of(path, mark)));
    expect(new Set(all)).toEqual(new Set([sha256Of(BIG)]));
    await rm(path);
    expect(await hashes.of(path, mark)).toBe(sha256Of(BIG)); // not read again
    await expect(hashes.of(path, { ...mark, modifiedAt: 5 })).rejects.toMatchObject({ code: 'ENOENT' });
    await hashes.close();
  });

  it('are asked for again after a failure', async () => {
    const hashes = new FileHashes();
    const mark = { bytes: BIG.length, modifiedAt: 1 };
    await expect(hashes.of(join(dir, 'm.gguf'), mark)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await hashes.of(await source(BIG), mark)).toBe(sha256Of(BIG));
    await hashes.close();
  });

  it('of a folder that cannot be written are remembered while the library lives', async () => {
    await writeFile(join(folder, 'm.gguf'), BIG);
    await mkdir(join(folder, 'm.gguf.json')); // no note can be written here
    const first = await library.list();
    const { mtimeMs } = await stat(join(folder, 'm.gguf'));
    await writeFile(join(folder, 'm.gguf'), Buffer.alloc(BIG.length)); // of the same length, and set back to its time:
    await utimes(join(folder, 'm.gguf'), new Date(), mtimeMs / 1_000); // it would be another hash if it were read again
    expect(await library.list()).toEqual(first);
  });
});
