import { seededRandom } from '../../base/seeded-random.ts';
import { readModelHeader } from '../../gguf/model-file.ts';
import { Weights } from '../../gguf/weights/weights.ts';
import { type BaseShape, baseShape } from '../formats/base-shape.ts';
import { newAdapter } from '../formats/new-adapter.ts';
import { newState, type SavedAdapter } from './adapter/adam-w.ts';
import { checkTensors, ModelWeights } from './model/model-weights.ts';
import { type ModelShape, modelShape } from './model/shape.ts';
import type { WeightSource } from './model/weight-source.ts';
import type { TrainerSettings } from './trainer.ts';

export interface ModelOptions {
  modelPath: string;
  settings: TrainerSettings;
  /** Loads the adapter to go on from; its rank, alpha and modules count, and not those of the settings. Default: a new one. */
  from?: ((base: BaseShape) => Promise<SavedAdapter>) | undefined;
}

/** What is trained, out of its files. */
export interface OpenModel extends SavedAdapter {
  weights: WeightSource;
  shape: ModelShape;
  base: BaseShape;
  close(): Promise<void>;
}

export async function openModel({ modelPath, settings, from }: ModelOptions): Promise<OpenModel> {
  const header = await readModelHeader(modelPath);
  const shape = modelShape(header);
  checkTensors(header, shape);
  const base = baseShape(header);
  const { adapter, state } = from
    ? await from(base)
    : beginning(await newAdapter(base, settings, seededRandom(settings.seed).uniform));
  const file = await Weights.open(modelPath, header);
  return { weights: new ModelWeights(file, shape), shape, base, adapter, state, close: () => file.close() };
}

const beginning = (adapter: SavedAdapter['adapter']): SavedAdapter => ({ adapter, state: newState(adapter) });
