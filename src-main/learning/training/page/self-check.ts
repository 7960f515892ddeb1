import { seededRandom } from '../../../base/seeded-random.ts';
import type { BaseShape } from '../../formats/base-shape.ts';
import { ADAPTER_MODULES, type LoraAdapter, matrixName } from '../../formats/lora-adapter.ts';
import { newAdapter } from '../../formats/new-adapter.ts';
import { newState } from '../adapter/adam-w.ts';
import { assembleTraining } from '../assemble-training.ts';
import { GROUP_NAMES, type Group, groupSize, moduleSize } from '../model/groups.ts';
import type { ModelShape } from '../model/shape.ts';
import type { WeightSource } from '../model/weight-source.ts';
import type { TrainerSettings, TrainingSample } from '../trainer.ts';

/** A model of the usual sort, large enough that jax-js lays out its kernels in tiles, as it does for real ones, and computed in a moment by a processor. */
const SHAPE: ModelShape = {
  ...{ architecture: 'llama', layers: 2, width: 128, heads: 4, kvHeads: 2, headWidth: 32, feedForward: 256 },
  ...{ vocabulary: 512, contextLength: 128, epsilon: 1e-5, attentionScale: 32 ** -0.5, embeddingScale: 1 },
  ...{ activation: 'silu', headNorms: false, postNorms: false, biases: false, pairedRows: false, tied: true },
  positions: Array.from({ length: 2 }, () => ({ base: 10_000, scale: 1, window: undefined })),
};

const SETTINGS: TrainerSettings = {
  ...{ objective: 'distillation', learningRate: 1e-3, rank: 4, alpha: 8, modules: ADAPTER_MODULES, seed: 7 },
  ...{ maxGradNorm: 1, weightDecay: 0, mixture: 0.5, isClip: 5, klWeight: 0 },
};

const PROMPT = 10;
const RESPONSE = 22;

/** Gradients that two devices compute of one model may differ by so much: the length of the difference as a share of the length. PyTorch's are held to the same. */
export const MOST_DIFFERENCE = 1e-4;

/** The gradients of a small made-up model, the same one everywhere, on whatever device jax-js was told to use. */
export async function checkedGradients(): Promise<LoraAdapter> {
  const { uniform, normal } = seededRandom(1);
  const adapter = await newAdapter(baseOf(SHAPE), SETTINGS, uniform);
  // Where they are 0, as in a new adapter, half of the gradients are 0 too.
  for (const { b } of adapter.matrices.values()) for (let at = 0; at < b.length; at++) b[at] = 0.05 * normal();
  const weights = madeWeights(SHAPE, normal);
  const keep = { weights: true, passed: true };
  const parts = { weights, shape: SHAPE, settings: SETTINGS, keep, adapter, state: newState(adapter) };
  const { training, close } = await assembleTraining(parts);
  try {
    return (await training.gradients([madeSample(uniform)])).gradients;
  } finally {
    close();
  }
}

/** Gradients by matrix, of a {@link LoraAdapter} or of one that a page sent. */
type Gradients = { matrices: ReadonlyMap<string, { a: Float32Array; b: Float32Array }> };

/** The largest difference of all matrices, see {@link MOST_DIFFERENCE}; as large as a number can be where something is missing or no number. */
export function largestDifference(found: Gradients, expected: Gradients): number {
  let largest = 0;
  for (const [name, { a, b }] of expected.matrices) {
    const own = found.matrices.get(name);
    if (!own) return Number.MAX_VALUE;
    largest = Math.max(largest, difference(own.a, a), difference(own.b, b));
  }
  return Number.isFinite(largest) ? largest : Number.MAX_VALUE;
}

function difference(found: Float32Array, expected: Float32Array): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  let apart = 0;
  let length = 0;
  for (let at = 0; at < expected.length; at++) {
    apart += ((found[at] as number) - (expected[at] as number)) ** 2;
    length += (expected[at] as number) ** 2;
  }
  return Math.sqrt(apart / length);
}

function baseOf(shape: ModelShape): BaseShape {
  const { architecture, layers, heads, kvHeads } = shape;
  const sizes: BaseShape['sizes'] = new Map(
    Array.from({ length: layers }, (_, layer) =>
      ADAPTER_MODULES.map((module) => [matrixName(layer, module), moduleSize(shape, module)] as const),
    ).flat(),
  );
  return { architecture, layers, heads, kvHeads, sizes };
}

function madeWeights(shape: ModelShape, normal: () => number): WeightSource {
  const { width, vocabulary, layers } = shape;
  const made = (count: number, scale: number) => Float32Array.from({ length: count }, () => scale * normal());
  const ones = () => new Float32Array(width).fill(1);
  const embeddings = made(vocabulary * width, 1);
  const all = Array.from({ length: layers }, () => {
    const matrices = {} as Record<Group, Float32Array>;
    for (const group of GROUP_NAMES) {
      const size = groupSize(shape, group);
      matrices[group] = made(size.in * size.out, size.in ** -0.5);
    }
    return { norms: { attention: ones(), feed: ones() }, matrices };
  });
  const row = (token: number) => embeddings.subarray(token * width, (token + 1) * width);
  return {
    layer: async (layer) => all[layer] as (typeof all)[number],
    embeddings: async (tokens) => Float32Array.from(tokens.flatMap((token) => [...row(token)])),
    outputRows: async (from, count) => embeddings.subarray(from * width, (from + count) * width),
    outputNorm: async () => ones(),
    frequencyFactors: async () => undefined,
  };
}

function madeSample(uniform: () => number): TrainingSample {
  const token = () => Math.floor(uniform() * SHAPE.vocabulary);
  const tokens = (length: number) => Array.from({ length }, token);
  const response = tokens(RESPONSE);
  const teacher = response.map((likeliest) => {
    const other = (likeliest + 1) % SHAPE.vocabulary;
    return { tokens: [likeliest, other], logprobs: [Math.log(0.7), Math.log(0.2)] };
  });
  return { prompt: tokens(PROMPT), response, teacher };
}
