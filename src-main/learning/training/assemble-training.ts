import type { SavedAdapter } from './adapter/adam-w.ts';
import { Head } from './model/head.ts';
import { JaxKernels } from './model/jax-kernels.ts';
import { LayerStore } from './model/layer-store.ts';
import type { ModelShape } from './model/shape.ts';
import { Transformer } from './model/transformer.ts';
import type { WeightSource } from './model/weight-source.ts';
import type { TrainerSettings } from './trainer.ts';
import { Training } from './training.ts';

export interface AssembledOf extends SavedAdapter {
  weights: WeightSource;
  shape: ModelShape;
  settings: TrainerSettings;
  /** What is kept in memory, rather than read or computed once more. */
  keep: { weights: boolean; passed: boolean };
}

/** Everything that computes an adapter's gradients, on whatever device jax-js was told to use. Knows nothing of files, nor of Node: a page runs it, too. */
export async function assembleTraining({ weights, shape, settings, keep, adapter, state }: AssembledOf) {
  const kernels = new JaxKernels(shape);
  const layers = new LayerStore(kernels, weights, shape, keep.weights);
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
  const close = () => {
    kept?.close();
    layers.close();
  };
  return { training, close };
}
