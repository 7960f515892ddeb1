import { seededRandom } from '../../base/seeded-random.ts';
import { readModelHeader } from '../../gguf/model-file.ts';
import { Weights } from '../../gguf/weights/weights.ts';
import { type BaseShape, baseShape } from '../formats/base-shape.ts';
import { newAdapter } from '../formats/new-adapter.ts';
import { newState } from './adapter/adam-w.ts';
import { Head } from './model/head.ts';
import { JaxKernels } from './model/jax-kernels.ts';
import { LayerStore } from './model/layer-store.ts';
import { checkTensors, ModelWeights } from './model/model-weights.ts';
import { modelShape } from './model/shape.ts';
import { Transformer } from './model/transformer.ts';
import type { SavedAdapter } from './saved-adapter.ts';
import type { TrainerSettings } from './trainer.ts';
import { Training } from './training.ts';

export interface TrainingOptions {
  modelPath: string;
  settings: TrainerSettings;
  /** Loads the adapter to go on from; its rank, alpha and modules count, and not those of the settings. Default: a new one. */
  from?: ((base: BaseShape) => Promise<SavedAdapter>) | undefined;
  /** What is kept in memory, rather than read or computed once more. */
  keep: { weights: boolean; passed: boolean };
}

export interface OpenTraining extends SavedAdapter {
  training: Training;
  base: BaseShape;
  settings: TrainerSettings;
  close(): Promise<void>;
}

/** Everything that computes an adapter's gradients, in this process. */
export async function openTraining({ modelPath, settings, keep, from }: TrainingOptions): Promise<OpenTraining> {
  const header = await readModelHeader(modelPath);
  const shape = modelShape(header);
  checkTensors(header, shape);
  const file = await Weights.open(modelPath, header);
  const weights = new ModelWeights(file, shape);
  const kernels = new JaxKernels(shape);
  const layers = new LayerStore(kernels, weights, shape, keep.weights);
  const base = baseShape(header);
  const { adapter, state } = from
    ? await from(base)
    : beginning(newAdapter(base, settings, seededRandom(settings.seed).uniform));
  const frequencyFactors = await weights.frequencyFactors();
  const transformer = new Transformer({ kernels, weights, shape, layers, keepPassed: keep.passed, frequencyFactors });
  let kept: Head | undefined;
  const withHead = async <Result>(work: (head: Head) => Promise<Result>): Promise<Result> => {
    const head = kept ?? (await Head.open(kernels, weights, shape));
    if (keep.weights) kept = head;
    try {
      return await work(head);
    } finally {
      if (!keep.weights) head.close();
    }
  };
  const oneByOne = keep.weights;
  const training = new Training({ kernels, transformer, withHead, shape, oneByOne, settings, adapter, state });
  const close = async () => {
    kept?.close();
    layers.close();
    await file.close();
  };
  return { training, adapter, state, base, settings, close };
}

const beginning = (adapter: SavedAdapter['adapter']): SavedAdapter => ({ adapter, state: newState(adapter) });
