import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPath } from '../../../../../src-main/base/installation.ts';
import { sha256 } from '../../../../../src-main/base/sha256.ts';
import { clipModels } from '../../../../../src-main/clips/models/clip-model-settings.ts';
import { SOUND_RATE, SPEECH_RATE } from '../../../../../src-main/clips/models/clip-models.ts';
import {
  adoptClipModel,
  type ClipModelEntry,
  kindOf,
  readClipCatalogue,
  wantedFiles,
} from '../../../../../src-main/clips/models/files/clip-catalogue.ts';
import * as manifests from '../../../../../src-main/clips/models/files/model-manifest.ts';
import { MODEL_KINDS, readClipModel, spaceOf } from '../../../../../src-main/clips/models/files/model-manifest.ts';

const catalogue = await readClipCatalogue(installedPath('models/clip-models.json'));

/** Files of a model, each with its name in it. */
async function fetched(entry: ClipModelEntry, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path } of wantedFiles(entry)) await writeFile(join(folder, path), path);
}
const unpinned = (entry: ClipModelEntry): ClipModelEntry => ({
  ...entry,
  files: Object.fromEntries(Object.entries(entry.files).map(([role, file]) => [role, { ...file, sha256: undefined }])),
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
      });
    },
  );

  it('has models of sounds and of speech for what they are given', () => {
    expect([manifests.SOUND_RATE, manifests.SPEECH_RATE]).toEqual([SOUND_RATE, SPEECH_RATE]);
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
