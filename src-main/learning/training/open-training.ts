import { seededRandom } from '../../base/seeded-random.ts';
import { readModelHeader } from '../../gguf/model-file.ts';
import { Weights } from '../../gguf/weights/weights.ts';
import { type BaseShape, baseShape } from '../formats/base-shape.ts';
import { newAdapter } from '../formats/new-adapter.ts';
import { newState, type SavedAdapter } from './adapter/adam-w.ts';
import { assembleTraining } from './assemble-training.ts';
import { checkTensors, ModelWeights } from './model/model-weights.ts';
import { type ModelShape, modelShape } from './model/shape.ts';
import type { WeightSource } from './model/weight-source.ts';
import type { TrainerSettings } from './trainer.ts';
import type { Training } from './training.ts';

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

export interface TrainingOptions extends ModelOptions {
  /** What is kept in memory, rather than read or computed once more. */
  keep: { weights: boolean; passed: boolean };
}

export interface OpenTraining extends SavedAdapter {
  training: Training;
  close(): Promise<void>;
}

/** Everything that computes an adapter's gradients, in this process. */
export async function openTraining(options: TrainingOptions): Promise<OpenTraining> {
  const { settings, keep } = options;
  const model = await openModel(options);
  const { training, close } = await assembleTraining({ ...model, settings, keep });
  return {
    ...{ training, adapter: model.adapter, state: model.state },
    async close() {
      close();
      await model.close();
    },
  };
}

const beginning = (adapter: SavedAdapter['adapter']): SavedAdapter => ({ adapter, state: newState(adapter) });
