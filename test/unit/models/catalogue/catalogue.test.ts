import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Catalogue, type CatalogueOptions } from '../../../../src-main/models/catalogue/catalogue.ts';
import { Pins } from '../../../../src-main/models/pins.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';

const BUNDLED = resolve(import.meta.dirname, '../../../../models/catalogue.json');

const ENTRY = {
  name: 'mine',
  title: 'Mine',
  description: 'A model of mine.',
  use: 'chat',
  parameters: 1_000,
  quantisation: 'Q8_0',
  contextLength: 512,
  licence: 'mit',
  repository: 'me/mine-GGUF',
  file: 'mine.gguf',
  chatTemplate: 'ChatML.',
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-catalogue-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function written(content: unknown, file = 'own.json'): Promise<string> {
  const path = join(dir, file);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function load(options: Partial<CatalogueOptions> = {}): Promise<Catalogue> {
  const pins = new Pins(join(dir, 'pins.json'));
  return Catalogue.load({ bundled: BUNDLED, files: [], endpoint: 'https://huggingface.co', pins, ...options });
}

describe('the catalogue that Quarry comes with', () => {
  it('has models of every use from 135M to 14B, each with length, hash and a fixed commit', async () => {
    const { entries } = await load();
    expect(entries.length).toBeGreaterThanOrEqual(12);
    expect(new Set(entries.map(({ use }) => use))).toEqual(new Set(['chat', 'code', 'embedding']));
    expect(Math.min(...entries.map(({ parameters }) => parameters))).toBeLessThan(140e6);
    expect(Math.max(...entries.map(({ parameters }) => parameters))).toBeGreaterThan(14e9);
    for (const { bytes, sha256, revision } of entries) {
      expect([bytes, sha256, revision]).toEqual([
        expect.any(Number),
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{40}$/),
      ]);
    }
  });

  it('has shapes and lengths that agree with each other', async () => {
    for (const { name, parameters, bytes = 0, shape } of (await load()).entries) {
      expect(shape && shape.heads % shape.kvHeads, name).toBe(0);
      expect(shape && shape.vocabulary * shape.embedding, name).toBeLessThan(parameters);
      expect((bytes * 8) / parameters, `bits of a weight of ${name}`).toSatisfy((bits: number) => bits > 4 && bits < 9);
    }
  });

  it('says which of its models are encoders: not every one that makes vectors', async () => {
    const entries = (await load()).entries;
    const names = (models: typeof entries) => models.map(({ name }) => name);
    expect(names(entries.filter(({ encoder }) => encoder))).toEqual(['bge-small-en-v1.5', 'nomic-embed-text-v1.5']);
    expect(names(entries.filter(({ use, encoder }) => use === 'embedding' && !encoder))).toEqual([
      'qwen3-embedding-0.6b',
    ]);
  });

  it('names the source of every hash in its README', async () => {
    const readme = await readFile(resolve(BUNDLED, '../README.md'), 'utf8');
    for (const { name, sha256 } of (await load()).entries) expect(readme).toContain(`| ${name} | \`${sha256}\` |`);
  });
});

describe('a catalogue', () => {
  it('makes addresses from the endpoint, mirrors after them', async () => {
    const mirrors = ['https://mirror.example/mine.gguf'];
    const other = { ...ENTRY, name: 'other', repository: undefined, file: undefined, url: 'http://127.0.0.1:8/o.gguf' };
    const own = await written({ models: [{ ...ENTRY, revision: 'v1', bytes: 9, mirrors }, other] });
    const catalogue = await load({ files: [own], endpoint: 'http://127.0.0.1:9/hf/' });
    expect(catalogue.wanted('mine')).toEqual({
      name: 'mine',
      urls: ['http://127.0.0.1:9/hf/me/mine-GGUF/resolve/v1/mine.gguf', ...mirrors],
      bytes: 9,
      sha256: undefined,
      pin: true,
      licence: 'mit',
    });
    expect([catalogue.has('mine'), catalogue.has('yours'), catalogue.has('__proto__')]).toEqual([true, false, false]);
    expect(catalogue.wanted('other').urls).toEqual(['http://127.0.0.1:8/o.gguf']);
  });

  it('lets the user’s files add and replace entries, the last file winning', async () => {
    const first = await written({ models: [ENTRY, { ...ENTRY, name: 'qwen3-4b', title: 'first' }] }, 'first.json');
    const second = await written({ models: [{ ...ENTRY, name: 'qwen3-4b', title: 'second' }] }, 'second.json');
    const catalogue = await load({ files: [first, second] });
    expect(catalogue.find('mine').title).toBe('Mine');
    expect(catalogue.find('qwen3-4b').title).toBe('second');
    expect(catalogue.entries).toHaveLength((await load()).entries.length + 1);
  });

  it('has its descriptions in every language; what a user’s file says stays as it is', async () => {
    const own = await written({ models: [ENTRY, { ...ENTRY, name: 'qwen3-4b' }] });
    const catalogue = await load({ files: [own] });
    const { said } = catalogue.saidOf(catalogue.find('qwen3-8b'));
    expect(said).toEqual({ description: { key: 'catalogue.qwen3-8b' } });
    expect(catalogue.saidOf(catalogue.find('qwen3-4b'))).toEqual({});
    expect(catalogue.saidOf(catalogue.find('mine'))).toEqual({});
  });

  it('names the model that was probably meant', async () => {
    const catalogue = await load();
    expect(() => catalogue.find('quen3-4b')).toThrow(
      expect.objectContaining({ code: 'MODEL_NOT_FOUND', hint: 'Did you mean «qwen3-4b»?' }),
    );
    const hintOf = (name: string) => {
      try {
        return catalogue.find(name).name;
      } catch (error) {
        return (error as QuarryError).hint;
      }
    };
    expect(hintOf('QWEN3-8')).toBe('Did you mean «qwen3-8b»?');
    expect(hintOf('nosuch')).toBe('See what there is: quarry models catalogue.');
    expect(() => catalogue.wanted('__proto__')).toThrow(expect.objectContaining({ code: 'MODEL_NOT_FOUND' }));
  });

  it('holds an entry without a hash to its pin, and finds entries by hash', async () => {
    const pins = new Pins(join(dir, 'pins.json'));
    await pins.hold('mine', 'a'.repeat(64));
    await pins.hold('qwen3-4b', 'b'.repeat(64));
    const catalogue = await load({ files: [await written({ models: [ENTRY] })], pins });
    expect(catalogue.wanted('mine')).toMatchObject({ sha256: 'a'.repeat(64), pin: false });
    expect(catalogue.bySha256('a'.repeat(64))?.name).toBe('mine');
    const { sha256 = '' } = catalogue.wanted('qwen3-4b');
    expect(sha256).toMatch(/^7485fe6f/); // the catalogue’s, not the pin
    expect(catalogue.bySha256(sha256)?.name).toBe('qwen3-4b');
    expect(catalogue.bySha256('c'.repeat(64))).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    [
      'a hash in capitals',
      { ...ENTRY, sha256: 'A'.repeat(64) },
      'in the model number 1, sha256: must be 64 hex digits',
    ],
    ['a name that is a path', { ...ENTRY, name: '../mine' }, 'in the model number 1, name: must be up to 100 letters'],
    ['a reserved name', { ...ENTRY, name: 'Tiny' }, 'in the model number 1, name'],
    ['no name', { ...ENTRY, name: undefined }, 'in the model number 1, name'],
    [
      'an unknown field',
      { ...ENTRY, sha265: 'x' },
      'in the model number 1, it has fields that a catalogue does not have',
    ],
    ['a file that climbs', { ...ENTRY, file: '../x.gguf' }, 'file: must be the path of a .gguf file'],
    ['neither place', { ...ENTRY, file: undefined }, 'must have either repository and file, or url'],
    ['both places', { ...ENTRY, url: 'https://x.example/y.gguf' }, 'must have either repository and file, or url'],
    ['another protocol', { ...ENTRY, mirrors: ['file:///etc/passwd'] }, 'mirrors.0: must be an http or https address'],
    ['an address that is none', { ...ENTRY, mirrors: ['a'] }, 'mirrors.0: must be an http or https address'],
    ['a password', { ...ENTRY, mirrors: ['https://me:pw@x.example/y'] }, 'mirrors.0: must not hold a name or password'],
    ['an unknown use', { ...ENTRY, use: 'vision' }, 'use'],
    ['bytes that are none', { ...ENTRY, bytes: -1 }, 'bytes'],
    ['a shape with holes', { ...ENTRY, shape: { layers: 1 } }, 'shape.embedding'],
  ])('refuses %s, naming file, model and field', async (_what, entry, message) => {
    const own = await written({ models: [entry] });
    await expect(load({ files: [own] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message),
    });
    await expect(load({ files: [own] })).rejects.toThrow(own);
  });

  it.each<[string, unknown, string]>([
    ['two models of one name', { models: [ENTRY, { ...ENTRY, name: 'Mine' }] }, 'two models named «Mine»'],
    ['what is no JSON', '{\n"models": x', 'it is no JSON'],
    ['what is no catalogue', '[]', 'it is no catalogue'],
    ['more than 1 MiB', `{"models":[]}${' '.repeat(1 << 20)}`, 'at most 1 MB are read'],
  ])('refuses %s', async (_what, content, message) => {
    await expect(load({ files: [await written(content)] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    'root:hunter2:0:0',
    'hunter2',
    '{"auths": hunter2}',
    '{"hunter2": 1}',
    '{"models": "hunter2"}',
    '{"models": [{"name": "hunter2"}]}',
    '{"models": [{"hunter2": 1}], "x": 1}',
    JSON.stringify({ models: [{ ...ENTRY, sha256: 'hunter2', hunter2: 1 }] }),
  ])('repeats nothing of a file that is none: %s', async (content) => {
    const refused = await load({ files: [await written(content)] }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(inspect(refused, { depth: 9 }) + JSON.stringify(refused)).not.toContain('unter2');
  });

  it('says which file is missing', async () => {
    const path = join(dir, 'nowhere.json');
    await expect(load({ files: [path] })).rejects.toThrow(`The catalogue ${path} cannot be used: it cannot be opened.`);
  });
});
