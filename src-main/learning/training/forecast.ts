import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { GROUP_NAMES, groupSize, moduleSize } from './model/groups.ts';
import type { ModelShape } from './model/shape.ts';
import { LENGTHS, paddedLength } from './model/transformer.ts';
import type { Forecast, TrainerSettings } from './trainer.ts';

/** What is kept in memory, rather than read (weights) or computed (what layers have passed on) once more. */
export interface Keep {
  weights: boolean;
  passed: boolean;
}

export interface Plan extends Forecast {
  keep: Keep;
}

export interface Wanted {
  shape: ModelShape;
  settings: Pick<TrainerSettings, 'rank' | 'modules' | 'lastLayers'>;
  /** Tokens of the longest sample. */
  longest: number;
}

/** The fastest first. */
const PLANS: readonly Keep[] = [
  { weights: true, passed: true },
  { weights: true, passed: false },
  { weights: false, passed: false },
];

const FLOAT_BYTES = 4;
/** Node, jax-js and its compiled kernels. Measured with SmolLM2-135M, as the other figures here. */
const BASE_BYTES = 260e6;
/** Copies of a layer's weights while it is read: as they were read, joined, where the kernels compute, and those of the layer before. */
const READING_COPIES = 6;
/** Copies of an adapter: itself, its gradient, two means of the optimizer, and as the kernels have it. */
const ADAPTER_COPIES = 6;
/** Arrays of tokens × tokens for each head that are there at once on the way back. */
const ATTENTION_COPIES = 12;
/** Copies of the logits of 32 places. */
const LOGITS_COPIES = 4;
const LOGITS_ROWS = 32;
/** Of WebAssembly's 4 GiB. */
const MOST_KERNEL_BYTES = 3.75 * 2 ** 30;
/** Samples of a step that are on their way together where weights are not kept. */
const TOGETHER = 4;

/** Multiplications and additions a second, with all that goes with them, on one core of 2025: 22–27 measured. */
export const WASM_FLOPS = 24e9;
/** Reading and dequantising a weight. */
const SECONDS_A_WEIGHT = 5e-9;

/**
 * How a model can be trained within a limit of memory, and what that takes.
 * @param limit bytes
 * @throws OUT_OF_MEMORY, with what would fit
 */
export function plan(wanted: Wanted, limit: number): Plan {
  const found = fitting(wanted, limit);
  if (found) return found;
  const least = bytesOf(wanted, PLANS.at(-1) as Keep).all;
  const ways = waysToFit(wanted, limit);
  throw new QuarryError({
    code: 'OUT_OF_MEMORY',
    message: say('training.doesNotFit', { needed: least, limit }),
    hint: ways.length > 0 ? say('training.wouldFit', { ways }) : say('training.smallerModel'),
  });
}

function fitting(wanted: Wanted, limit: number): Plan | undefined {
  for (const keep of PLANS) {
    const { all, kernels } = bytesOf(wanted, keep);
    if (all > limit || kernels > MOST_KERNEL_BYTES) continue;
    return {
      keep,
      memory: Math.ceil(all),
      secondsPerStep: (samples, tokens) => seconds(wanted, keep, samples, tokens),
    };
  }
  return undefined;
}

function bytesOf({ shape, settings, longest }: Wanted, keep: Keep): { all: number; kernels: number } {
  const tokens = paddedLength(longest);
  const { layers, width, vocabulary, heads } = shape;
  const layer = layerWeights(shape);
  const output = vocabulary * width;
  const passed = GROUP_NAMES.reduce((sum, group) => sum + groupSize(shape, group).in + groupSize(shape, group).out, 0);
  const together = keep.weights ? 1 : TOGETHER;
  const kernels =
    (keep.weights ? layers * layer : 2 * layer) +
    output +
    together * tokens * width * (trained(shape, settings) + 2) +
    tokens * passed * (keep.passed ? trained(shape, settings) + 1 : 3) +
    heads * tokens ** 2 * ATTENTION_COPIES;
  const host =
    (keep.weights ? layer : READING_COPIES * layer) +
    LOGITS_ROWS * vocabulary * LOGITS_COPIES +
    adapterWeights(shape, settings) * ADAPTER_COPIES;
  return { all: BASE_BYTES + FLOAT_BYTES * (kernels + host), kernels: FLOAT_BYTES * kernels };
}

const layerWeights = (shape: ModelShape) =>
  GROUP_NAMES.map((group) => groupSize(shape, group)).reduce((sum, size) => sum + size.in * size.out, 0);

const trained = ({ layers }: ModelShape, { lastLayers = layers }: Wanted['settings']) => Math.min(layers, lastLayers);

function adapterWeights(shape: ModelShape, settings: Wanted['settings']): number {
  const sizes = settings.modules.map((module) => moduleSize(shape, module));
  const ofALayer = sizes.reduce((sum, size) => sum + size.in + size.out, 0);
  return settings.rank * trained(shape, settings) * ofALayer;
}

/** Forward once, or twice where nothing is kept; the way back costs as much as once. Half of a sample's tokens are taken to be learnt. */
function seconds({ shape, settings }: Wanted, keep: Keep, samples: number, tokens: number): number {
  const { layers, width, vocabulary, heads, headWidth } = shape;
  const padded = paddedLength(tokens);
  const share = trained(shape, settings) / layers;
  const passes = 1 + (keep.passed ? share : 2 * share);
  const weights = layers * layerWeights(shape);
  const layersFlops = passes * 2 * padded * weights;
  const attentionFlops = passes * 8 * layers * padded ** 2 * heads * headWidth;
  const headFlops = 4 * (tokens / 2) * vocabulary * width;
  const reading = keep.weights ? 0 : SECONDS_A_WEIGHT * ((1 + share) * weights + vocabulary * width);
  return (samples * (layersFlops + attentionFlops + headFlops)) / WASM_FLOPS + reading;
}

/** Each by itself: fewer layers, a smaller rank, shorter samples. */
function waysToFit(wanted: Wanted, limit: number): Saying[] {
  const { shape, settings, longest } = wanted;
  const fits = (change: Partial<Wanted>) => fitting({ ...wanted, ...change }, limit) !== undefined;
  const fewer = (from: number) => Array.from({ length: from - 1 }, (_, index) => from - 1 - index);
  const layers = fewer(trained(shape, settings)).find((lastLayers) => fits({ settings: { ...settings, lastLayers } }));
  const rank = fewer(settings.rank).find((less) => fits({ settings: { ...settings, rank: less } }));
  const tokens = LENGTHS.toReversed().find((length) => length < longest && fits({ longest: length }));
  return [
    ...(layers === undefined ? [] : [say('training.wouldFit.layers', { layers })]),
    ...(rank === undefined ? [] : [say('training.wouldFit.rank', { rank })]),
    ...(tokens === undefined ? [] : [say('training.wouldFit.tokens', { tokens })]),
  ];
}
