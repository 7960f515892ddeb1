import { installedPath } from '../../src-main/base/installation.ts';
import { type ClipModel, type ModelKind, readClipModel } from '../../src-main/clips/models/files/model-manifest.ts';
import type { VectorModelsOptions } from '../../src-main/clips/models/vector-models.ts';

type TinyName = 'tiny-pictures' | 'tiny-sounds' | 'tiny-speakers';

/** Where the tiny models of the fake world lie: see scripts/train-tiny-clip.py and make-tiny-speakers.py. */
export const tinyModelFolder = (name: TinyName) => installedPath('test/fixtures/clips/tiny-models', name);

/** The tiny models, which know the shapes, colours and sounds of the fake world. */
export async function tinyModels(): Promise<Pick<VectorModelsOptions, 'pictures' | 'sounds'>> {
  return {
    pictures: await tinyModel('tiny-pictures', 'pictures'),
    sounds: await tinyModel('tiny-sounds', 'sounds'),
  };
}

/** One of them. */
export async function tinyModel<Kind extends ModelKind>(name: TinyName, kind: Kind): Promise<ClipModel<Kind>> {
  const model = await readClipModel(tinyModelFolder(name), kind);
  if (!model) throw new Error(`There is no ${name}.`);
  return model;
}
