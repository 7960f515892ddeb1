import { copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedPath } from '../../../../src-main/base/installation.ts';
import { ModelLibrary } from '../../../../src-main/models/library/library.ts';
import { findModels, otherApps } from '../../../../src-main/models/library/other-apps.ts';

const TINY = installedPath('resources', 'tiny.gguf');
const DIGEST = 'ab'.repeat(32);
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'quarry-apps-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** A model of Ollama, as it keeps one. */
async function ollama(model: string, digest = `sha256:${DIGEST}`, weights = TINY): Promise<string> {
  const folder = join(home, '.ollama', 'models');
  const layers = [
    { mediaType: 'application/vnd.ollama.image.license', digest: `sha256:${'cd'.repeat(32)}` },
    { mediaType: 'application/vnd.ollama.image.model', digest },
  ];
  await write(join(folder, 'manifests', 'registry.ollama.ai', model), JSON.stringify({ layers }));
  const blob = join(folder, 'blobs', digest.replace(':', '-'));
  await mkdir(dirname(blob), { recursive: true });
  await copyFile(weights, blob);
  return blob;
}

const found = () => findModels({ ...otherApps({}, home), ollama: [join(home, '.ollama', 'models')] });

describe('the models of other apps', () => {
  it('are none where there is no such app', async () => expect(await found()).toEqual([]));

  it('are those of Ollama by their manifests, and of LM Studio by their files', async () => {
    const blob = await ollama('library/llama3.2/3b');
    const studio = join(home, '.lmstudio', 'models', 'someone', 'Some-Repo-GGUF');
    await mkdir(studio, { recursive: true });
    await copyFile(TINY, join(studio, 'Some-Model-Q4_K_M.gguf'));
    await copyFile(TINY, join(studio, 'mmproj-model-f16.gguf'));
    const models = await found();
    expect(models.map(({ app, title, name }) => [app, title, name]).sort()).toEqual([
      ['lm-studio', 'someone/Some-Repo-GGUF/Some-Model-Q4_K_M.gguf', 'Some-Model-Q4_K_M'],
      ['ollama', 'llama3.2:3b', 'llama3.2-3b'],
    ]);
    expect(models.find(({ app }) => app === 'ollama')).toMatchObject({
      path: blob,
      problem: null,
      bytes: (await stat(TINY)).size,
    });
  });

  it('that come in several files are one, which says that it cannot be loaded', async () => {
    const studio = join(home, '.lmstudio', 'models', 'someone', 'Big-GGUF');
    await mkdir(studio, { recursive: true });
    for (const piece of [1, 2, 3]) await writeFile(join(studio, `Big-0000${piece}-of-00003.gguf`), 'x'.repeat(100));
    await copyFile(TINY, join(studio, 'Big.gguf'));
    const models = await found();
    expect(models.map(({ title, name, problem }) => [title, name, problem])).toEqual([
      ['someone/Big-GGUF/Big.gguf', 'Big', null],
      ['someone/Big-GGUF/Big.gguf', 'Big', expect.stringMatching(/^It comes in 3 files/)],
    ]);
    expect(models[1]?.bytes).toBe(300);
  });

  it('are named after who made them, and without «latest»', async () => {
    await ollama('library/qwen3/latest');
    await ollama('someone/my-model/v1', `sha256:${'12'.repeat(32)}`);
    expect((await found()).map(({ title, name }) => [title, name]).sort()).toEqual([
      ['qwen3:latest', 'qwen3'],
      ['someone/my-model:v1', 'my-model-v1'],
    ]);
  });

  it('say why they cannot be used', async () => {
    const blob = await ollama('library/broken/1');
    await writeFile(blob, 'GGUF but not really');
    expect(await found()).toMatchObject([{ title: 'broken:1', problem: /cannot be loaded/, quantisation: null }]);
  });

  it.each([
    [
      'a digest that leads elsewhere',
      '{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:../../etc"}]}',
    ],
    ['no JSON', 'layers:'],
    ['something else', '[]'],
    ['far too much', `{"layers":[],"more":"${'x'.repeat(400_000)}"}`],
  ])('are not those of a manifest with %s', async (_, manifest) => {
    await write(
      join(home, '.ollama', 'models', 'manifests', 'registry.ollama.ai', 'library', 'evil', 'latest'),
      manifest,
    );
    expect(await found()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('are not looked for behind links that go round in circles', async () => {
    const folder = join(home, '.lmstudio', 'models');
    await mkdir(folder, { recursive: true });
    await symlink(folder, join(folder, 'again'));
    expect(await found()).toEqual([]);
  });

  it('are where Ollama was told to keep them', () => {
    expect(otherApps({ OLLAMA_MODELS: '/big/drive' }, home).ollama).toEqual(['/big/drive']);
  });
});

describe('a model that is used where it is', () => {
  let library: ModelLibrary;
  let path: string;
  const folder = () => join(home, 'library');
  const open = async () => {
    library = new ModelLibrary({ folder: folder(), tinyPath: TINY, now: () => 1 });
    await library.open();
  };
  beforeEach(async () => {
    path = await ollama('library/llama3.2/3b');
    await open();
  });
  afterEach(() => library.close());

  it('is in the library, over a restart too, without a second name or a copy', async () => {
    expect(await library.useInPlace(path, 'llama')).toMatchObject({
      name: 'llama',
      path,
      outside: true,
      taken: 'outside',
    });
    expect((await stat(path)).nlink).toBe(1);
    await library.close();
    await open();
    expect(await library.find()).toMatchObject({ name: 'llama', path, outside: true, origin: 'imported' });
    expect(await library.find('llama')).toMatchObject({ path });
    expect(await library.verify('llama')).toMatchObject({ ok: true });
    expect((await library.diskUse()).models).toEqual([]);
  });

  it('stays where it is when it is removed', async () => {
    await library.useInPlace(path, 'llama');
    await library.remove('llama');
    expect(await library.names()).toEqual(['tiny']);
    expect((await readFile(path)).equals(await readFile(TINY))).toBe(true);
  });

  it('is gone from the list, and can be removed, when the other app has deleted it', async () => {
    await library.useInPlace(path, 'llama');
    await rm(path);
    expect((await library.list()).map(({ name }) => name)).toEqual(['tiny']);
    await expect(library.find('llama')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await library.remove('llama');
    expect(await library.names()).toEqual(['tiny']);
  });

  it('counts as found once it was changed, and nothing is written beside it', async () => {
    await library.useInPlace(path, 'llama');
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes, Buffer.alloc(32)]));
    expect((await library.list()).at(-1)).toMatchObject({ name: 'llama', origin: 'found', outside: true });
    expect(await library.verify('llama')).toMatchObject({ ok: false });
    await expect(stat(`${path}.json`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is the same model when it is imported too, and another one must not have its name', async () => {
    await library.useInPlace(path, 'llama');
    expect(await library.import(path, 'llama')).toMatchObject({ taken: 'known', outside: true });
    await expect(stat(`${path}.json`)).rejects.toMatchObject({ code: 'ENOENT' });
    const other = join(home, 'other.gguf');
    await writeFile(other, Buffer.concat([await readFile(TINY), Buffer.alloc(32)]));
    await expect(library.useInPlace(other, 'llama')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has to be a model', async () => {
    await writeFile(path, 'no model');
    await expect(library.useInPlace(path, 'llama')).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });
});
