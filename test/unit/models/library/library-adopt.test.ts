import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelLibrary, type ModelLibraryOptions } from '../../../../src-main/models/library/library.ts';
import type { WantedModel } from '../../../../src-main/models/wanted-model.ts';
import { ggufFile, sha256Of } from '../../../support/model-files.ts';

const BYTES = ggufFile('downloaded');
const DOWNLOAD = { sha256: sha256Of(BYTES), source: 'https://x.example/m.gguf?token=secret' };
const PINNED: WantedModel = { name: 'm', urls: [], sha256: DOWNLOAD.sha256, licence: 'mit' };
const UNKNOWN: WantedModel = { name: 'm', urls: [], pin: true };

let dir: string;
let folder: string;
let library: ModelLibrary;
let clock = 1_000;

function open(options: Partial<ModelLibraryOptions> = {}): ModelLibrary {
  return new ModelLibrary({ folder, tinyPath: join(dir, 'tiny.gguf'), now: () => clock++, ...options });
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-adopt-'));
  folder = join(dir, 'models');
  await mkdir(folder);
  await writeFile(join(dir, 'tiny.gguf'), ggufFile('tiny'));
  library = open();
  await library.open();
});

afterEach(async () => {
  await library.close();
  await rm(dir, { recursive: true, force: true });
});

async function partial(bytes = BYTES): Promise<string> {
  const path = join(folder, 'm.partial');
  await writeFile(path, bytes);
  return path;
}

/** What is in the folder beside its lock. */
async function files(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file !== 'library.lock');
}

describe('a finished download', () => {
  it('gets its name and a note without secrets, and is what is loaded next', async () => {
    const model = await library.adopt(await partial(), PINNED, DOWNLOAD);
    expect(model).toMatchObject({ name: 'm', sha256: DOWNLOAD.sha256, origin: 'downloaded', licence: 'mit' });
    expect(await files()).toEqual(['m.gguf', 'm.gguf.json']);
    const note = await readFile(join(folder, 'm.gguf.json'), 'utf8');
    expect(JSON.parse(note)).toMatchObject({
      origin: 'downloaded',
      source: 'https://x.example/m.gguf',
      licence: 'mit',
    });
    expect(note).not.toContain('secret');
    expect(await library.find()).toEqual(model);
  });

  it('is pinned when nothing was known of it, and another file of its name is refused later', async () => {
    await library.adopt(await partial(), UNKNOWN, DOWNLOAD);
    expect(library.pins.of('m')).toBe(DOWNLOAD.sha256);
    await library.remove('m');
    const other = ggufFile('something else');
    const refused = library.adopt(await partial(other), UNKNOWN, { ...DOWNLOAD, sha256: sha256Of(other) });
    await expect(refused).rejects.toMatchObject({ code: 'MODEL_INVALID', hint: expect.stringContaining('pins.json') });
    expect(await files()).toEqual(['m.partial', 'pins.json']);
  });

  it.each([PINNED, { name: 'm', urls: [] }])('is pinned only when that is wanted: %#', async (wanted) => {
    await library.adopt(await partial(), wanted, DOWNLOAD);
    expect(library.pins.of('m')).toBeUndefined();
    await library.remove('m');
    const other = ggufFile('the next of this name');
    const download = { ...DOWNLOAD, sha256: sha256Of(other) };
    expect(await library.adopt(await partial(other), { name: 'm', urls: [] }, download)).toMatchObject({ name: 'm' });
  });

  it('is not pinned when another model has its name', async () => {
    await writeFile(join(folder, 'm.gguf'), ggufFile('the other'));
    await expect(library.adopt(await partial(), UNKNOWN, DOWNLOAD)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(library.pins.of('m')).toBeUndefined();
  });

  it('is dropped when the same model is here', async () => {
    await writeFile(join(folder, 'm.gguf'), BYTES);
    expect(await library.adopt(await partial(), PINNED, DOWNLOAD)).toMatchObject({ origin: 'downloaded' });
    expect(await files()).toEqual(['m.gguf', 'm.gguf.json']);
    expect((await library.find()).name).toBe('m');
  });

  it('leaves another model of its name alone', async () => {
    await writeFile(join(folder, 'm.gguf'), ggufFile('the other'));
    await expect(library.adopt(await partial(), PINNED, DOWNLOAD)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await readFile(join(folder, 'm.gguf'))).toEqual(ggufFile('the other'));
  });

  it('is refused when it is no model, whatever its hash, and by the check that is plugged in', async () => {
    const bytes = Buffer.from('<html>');
    const download = { ...DOWNLOAD, sha256: sha256Of(bytes) };
    const path = await partial(bytes);
    await expect(library.adopt(path, UNKNOWN, download)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    const strict = open({ check: () => Promise.reject(new Error('too many tensors')) });
    await expect(strict.adopt(await partial(), UNKNOWN, DOWNLOAD)).rejects.toThrow('too many tensors');
    expect(await files()).toEqual(['m.partial']);
  });

  it('cut off between its note and its name is taken when it comes again', async () => {
    await writeFile(join(folder, 'm.gguf.json'), JSON.stringify({ sha256: DOWNLOAD.sha256, bytes: 1, importedAt: 1 }));
    await partial();
    await library.close();
    library = open();
    await library.open();
    expect(await files()).toEqual(['m.partial']);
    await library.adopt(join(folder, 'm.partial'), PINNED, DOWNLOAD);
    expect((await library.find()).name).toBe('m');
  });

  it('waits for an import of the same name, and one of the two wins', async () => {
    const source = join(dir, 'source.gguf');
    await writeFile(source, ggufFile('the other'));
    const path = await partial();
    const [imported, adopted] = await Promise.allSettled([
      library.import(source, 'm'),
      library.adopt(path, PINNED, DOWNLOAD),
    ]);
    expect([imported.status, adopted.status].sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a file that was merely put into the folder', () => {
  beforeEach(() => writeFile(join(folder, 'm.gguf'), BYTES));

  it('is listed last and found by name, but never chosen', async () => {
    expect((await library.list()).map(({ name, origin }) => [name, origin])).toEqual([
      ['tiny', 'built-in'],
      ['m', 'found'],
    ]);
    expect((await library.find()).name).toBe('tiny');
    expect((await library.find('m')).sha256).toBe(DOWNLOAD.sha256);
  });

  it('is chosen once its owner imported it', async () => {
    await library.list();
    await library.import(join(folder, 'm.gguf'));
    expect(await library.find()).toMatchObject({ name: 'm', origin: 'imported' });
    expect(await files()).toEqual(['m.gguf', 'm.gguf.json']);
  });

  it('counts as found again when it was exchanged after its import', async () => {
    await library.import(join(folder, 'm.gguf'));
    await rm(join(folder, 'm.gguf'));
    await writeFile(join(folder, 'm.gguf'), ggufFile('exchanged!'));
    expect((await library.find()).name).toBe('tiny');
  });
});

it('believes the notes of older versions', async () => {
  await writeFile(join(folder, 'm.gguf'), BYTES);
  const note = { sha256: DOWNLOAD.sha256, bytes: BYTES.length, importedAt: 5 };
  await writeFile(join(folder, 'm.gguf.json'), JSON.stringify(note));
  expect(await library.find()).toMatchObject({ name: 'm', origin: 'imported' });
});
