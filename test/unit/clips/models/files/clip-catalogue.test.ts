import { mkdir, mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPath } from '../../../../../src-main/base/installation.ts';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import { clipModels } from '../../../../../src-main/clips/models/clip-model-settings.ts';
import { checkFiles } from '../../../../../src-main/clips/models/files/check-files.ts';
import {
  adoptClipModel,
  type ClipModelEntry,
  kindOf,
  readClipCatalogue,
  type WantedFile,
  wantedFiles,
} from '../../../../../src-main/clips/models/files/clip-catalogue.ts';
import { keepThresholds } from '../../../../../src-main/clips/models/files/keep-thresholds.ts';
import {
  MANIFEST_FILE,
  MODEL_KINDS,
  readClipModel,
  spaceOf,
} from '../../../../../src-main/clips/models/files/model-manifest.ts';

const catalogue = await readClipCatalogue(installedPath('models/clip-models.json'));

/** Files of a model, each with its name in it. */
async function fetched(entry: ClipModelEntry, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path } of wantedFiles(entry)) await writeFile(join(folder, path), path);
}
const unpinned = (entry: ClipModelEntry): ClipModelEntry => ({
  ...entry,
  files: Object.fromEntries(
    Object.entries(entry.files).map(([role, file]) => [
      role,
      [file].flat().map((one) => ({ ...one, bytes: undefined, sha256: undefined }))[0]!,
    ]),
  ),
});

describe('the catalogue of models of clips', () => {
  it('has one of each kind, and those that the settings name by themselves', () => {
    expect(catalogue.map(kindOf)).toEqual(MODEL_KINDS);
    const settings = clipModels.parse({});
    for (const kind of MODEL_KINDS) expect(catalogue.find(({ name }) => name === settings[kind])).toBeDefined();
  });

  it.each(catalogue.map((entry) => [entry.name, entry] as const))(
    '%s becomes a model of the files that were fetched',
    async (_, entry) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
      await fetched(entry, folder.path);
      expect(await readClipModel(folder.path, kindOf(entry))).toBeNull();
      await adoptClipModel(folder.path, unpinned(entry));
      const model = await readClipModel(folder.path, kindOf(entry));
      expect(model?.manifest).toMatchObject({ name: entry.name, licence: entry.licence });
      const [first] = wantedFiles(entry);
      expect(Object.values(model?.manifest.files ?? {}).flat()).toContainEqual({
        path: first?.path,
        sha256: sha256(first?.path ?? '').toString('hex'),
        bytes: first?.path.length,
      });
    },
  );

  it('keeps what was measured with the same files, and with no others', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    const entry = unpinned(catalogue.find(({ name }) => name === 'siglip2-base') as ClipModelEntry);
    await fetched(entry, folder.path);
    await adoptClipModel(folder.path, entry);
    const model = await readClipModel(folder.path, 'pictures');
    const thresholds = { same: 0.9, novel: 0.1, unrelated: 0.05, closest: 0.2 };
    await keepThresholds(model!, { thresholds, by: 60, at: 5 });
    await adoptClipModel(folder.path, entry);
    expect((await readClipModel(folder.path, 'pictures'))?.manifest).toMatchObject({
      ...{ thresholds, measured: { by: 60, at: 5 } },
    });
    // What else was written there meanwhile stays, too.
    await writeFile(join(folder.path, MANIFEST_FILE), JSON.stringify({ ...model!.manifest, licence: 'MIT' }));
    await keepThresholds(model!, { thresholds, by: 61, at: 6 });
    expect((await readClipModel(folder.path, 'pictures'))?.manifest).toMatchObject({
      ...{ licence: 'MIT', measured: { by: 61, at: 6 } },
    });
    await writeFile(join(folder.path, 'tokenizer.json'), 'another');
    await adoptClipModel(folder.path, entry);
    expect((await readClipModel(folder.path, 'pictures'))?.manifest).toMatchObject({
      thresholds: null,
      measured: null,
    });
    await expect(keepThresholds(model!, { thresholds, by: 60, at: 5 })).rejects.toMatchObject({
      code: 'MODEL_INVALID',
    });
  });

  it('takes no other file than it knows', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    const entry = catalogue.find(({ name }) => name === 'siglip2-base') as ClipModelEntry;
    await fetched(entry, folder.path);
    const refused = { code: 'MODEL_INVALID', message: expect.stringContaining('vision_model_quantized.onnx') };
    await expect(adoptClipModel(folder.path, entry)).rejects.toMatchObject(refused);
    expect(await readClipModel(folder.path, 'pictures')).toBeNull();
  });
});

/** As ONNX names a file of weights, of a tensor in the midst of others. */
const naming = (location: string, before = 10) =>
  Buffer.concat([
    Buffer.alloc(before, 7),
    Buffer.from('\x0a\x08location\x12'),
    Buffer.from([location.length]),
    Buffer.from(location),
    Buffer.alloc(10, 7),
  ]);

describe('weights beside a model', () => {
  const pictures = catalogue.find(({ name }) => name === 'siglip2-base') as ClipModelEntry;
  const { encoder, text, tokenizer } = unpinned(pictures).files as Record<string, WantedFile>;
  const DATA = { ...encoder!, file: 'onnx/vision_model_quantized.onnx_data' };
  const [NAME, WEIGHTS] = ['vision_model_quantized.onnx_data', 'vision_model_quantized.onnx'];

  /** @param before bytes of the model before it names them */
  async function folderOf(entry: ClipModelEntry, before?: number) {
    const folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    await fetched(entry, folder.path);
    await writeFile(join(folder.path, WEIGHTS), naming(NAME, before));
    await writeFile(join(folder.path, NAME), 'weights');
    await adoptClipModel(folder.path, entry);
    const model = await readClipModel(folder.path, 'pictures');
    return { path: folder.path, model: model!, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  }
  const whole = { ...pictures, files: { encoder: encoder!, text: text!, tokenizer: tokenizer!, beside: [DATA] } };

  it('are fetched, and held to their length and hash before they are loaded', async () => {
    expect(wantedFiles(whole).map(({ path }) => path)).toContain(NAME);
    await using folder = await folderOf(whole);
    const { beside } = folder.model.manifest.files;
    expect(beside).toEqual([{ path: NAME, sha256: sha256('weights').toString('hex'), bytes: 7 }]);
    await checkFiles(folder.model);
    const refused = { code: 'MODEL_INVALID', message: expect.stringContaining(NAME) };
    for (const other of ['weightz', 'weights and more']) {
      await writeFile(join(folder.path, NAME), other);
      await expect(checkFiles(folder.model)).rejects.toMatchObject(refused);
    }
    await rm(join(folder.path, NAME));
    await expect(checkFiles(folder.model)).rejects.toMatchObject(refused);
  });

  it('of another length than is published are not taken', async () => {
    const longer = { ...whole, files: { ...whole.files, beside: [{ ...DATA, bytes: 8 }] } };
    await expect(folderOf(longer)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(NAME),
    });
  });

  it.each([10, 2 ** 20 - 20])(
    'are loaded for no model that says nothing of them: named after %i bytes',
    async (before) => {
      await using folder = await folderOf({ ...whole, files: { ...whole.files, beside: [] } }, before);
      const refused = { code: 'MODEL_INVALID', message: expect.stringContaining(NAME) };
      await expect(checkFiles(folder.model)).rejects.toMatchObject(refused);
      await rm(join(folder.path, NAME)); // what is not there is not loaded
      await checkFiles(folder.model);
    },
  );

  it.each([
    ['with the name before what it is', Buffer.from(`\x12${String.fromCharCode(NAME!.length)}${NAME}\x0a\x08location`)],
    ['with longer lengths than need be', Buffer.from(`\x0a\x88\x00location\x12\xa0\x00${NAME}`, 'latin1')],
    ['by a longer way, and in capitals', Buffer.from(`\x0a\x08location\x12\x22./${NAME!.toUpperCase()}`)],
  ])('nor where its file says so as nobody else writes it: %s', async (_, bytes) => {
    await using folder = await folderOf({ ...whole, files: { ...whole.files, beside: [] } });
    const { encoder: file } = folder.model.manifest.files as {
      encoder: { path: string; sha256: string; bytes?: number };
    };
    await writeFile(join(folder.path, WEIGHTS!), bytes);
    Object.assign(file, { sha256: sha256(bytes).toString('hex'), bytes: bytes.length });
    const refused = { code: 'MODEL_INVALID', message: expect.stringContaining(NAME!) };
    await expect(checkFiles(folder.model)).rejects.toMatchObject(refused);
  });
});

describe('a folder of a model', () => {
  it('that is of another kind, or says nonsense, is none', async () => {
    const tiny = installedPath('test/fixtures/clips/tiny-models/tiny-sounds');
    await expect(readClipModel(tiny, 'pictures')).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    const manifest = JSON.parse(await readFile(join(tiny, 'quarry-clip-model.json'), 'utf8'));
    manifest.files.encoder.path = '../encoder.onnx';
    for (const text of ['{', 'x'.repeat(100_000), JSON.stringify(manifest)]) {
      await writeFile(join(folder.path, 'quarry-clip-model.json'), text);
      await expect(readClipModel(folder.path, 'sounds')).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    }
  });

  it('has another space when one of its files is another', async () => {
    const tiny = await readClipModel(installedPath('test/fixtures/clips/tiny-models/tiny-sounds'), 'sounds');
    const other = structuredClone(tiny);
    if (!tiny || !other) throw new Error('not there');
    expect(spaceOf(other.manifest)).toBe(spaceOf(tiny.manifest));
    other.manifest.files.text.sha256 = '0'.repeat(64);
    expect(spaceOf(other.manifest)).not.toBe(spaceOf(tiny.manifest));
  });
});
