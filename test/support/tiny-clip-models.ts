import { installedPath } from '../../src-main/base/installation.ts';
import type { ClipVectorsOptions } from '../../src-main/clips/models/clip-vectors.ts';
import { type ClipModel, type ModelKind, readClipModel } from '../../src-main/clips/models/model-manifest.ts';

/** Where the tiny models of the fake world lie: see scripts/train-tiny-clip.py. */
export const tinyModelFolder = (name: 'tiny-pictures' | 'tiny-sounds') =>
  installedPath('test/fixtures/clips/tiny-models', name);

/** The tiny models, which know the shapes, colours and sounds of the fake world. */
export async function tinyModels(): Promise<Pick<ClipVectorsOptions, 'pictures' | 'sounds'>> {
  return {
    pictures: await tiny('tiny-pictures', 'pictures'),
    sounds: await tiny('tiny-sounds', 'sounds'),
  };
}

async function tiny<Kind extends ModelKind>(
  name: 'tiny-pictures' | 'tiny-sounds',
  kind: Kind,
): Promise<ClipModel<Kind>> {
  const model = await readClipModel(tinyModelFolder(name), kind);
  if (!model) throw new Error(`There is no ${name}.`);
  return model;
}
