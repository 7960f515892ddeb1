import type { KvCacheType } from '../../../src-preload/contract/long-context.ts';
import type { LayerAttention } from '../../gguf/model-facts.ts';
import { BATCH_TOKENS, MAX_OUTPUTS, TEXT_TOKENS } from '../../inference/engine-protocol.ts';
import type { ModelProfile } from './model-profile.ts';

/** How a model would be loaded. */
export interface LoadPlan {
  /** Tokens of context for one request. */
  contextSize: number;
  /** Requests decoded together. */
  parallel: number;
  /** As llama.cpp counts: the last so many layers, of which the output is one more: 0 none, layers + 1 all. */
  gpuLayers: number;
  /** What the cache keeps each value as. Default f16. */
  kvCache?: KvCacheType;
  /** The processor computes with weights packed anew. Default false. */
  packsWeights?: boolean;
}

/** Bytes, by what needs them. */
export interface MemoryParts {
  weights: number;
  cache: number;
  /** Buffers for computing. */
  compute: number;
  /** The engine’s process and the model’s vocabulary. */
  process: number;
}

export interface MemoryNeed {
  ram: MemoryParts;
  vram: MemoryParts;
}

/** llama.cpp rounds a context up to whole blocks of so many tokens (`GGML_PAD` in llama_context’s constructor). */
const CONTEXT_BLOCK = 256;
/** For AMX, llama.cpp packs 32 values that the file has in 34 bytes (Q8_0) into 38; other types grow about as much. */
const PACKED = 38 / 34;
const HALF = 2;
const FLOAT = 4;
/** Bytes of a cached value: quantised, 32 of them share a scale of two bytes (`block_q8_0`, `block_q4_0` of ggml). */
const CACHED: Record<KvCacheType, number> = { f16: HALF, q8_0: 34 / 32, q4_0: 18 / 32 };
/** The engine’s process without a model, and what it takes more per token of the vocabulary; measured on Linux. */
const PROCESS_BYTES = 150 * 1024 ** 2;
const VOCABULARY_BYTES = 1_150;

/**
 * What a model takes: the sum of its weights, a cache of keys and values for every token of every request, and a buffer that the largest
 * step of a full batch fits in. Of that buffer, llama.cpp reserves room for the logits of a whole batch: on a graphics card that is taken,
 * in the computer's memory only what is written to (`MAX_OUTPUTS`). Checked against what llama.cpp reports in
 * test/integration/model-fit.test.ts, and against what the engine's process takes by `quarry bench memory`.
 */
export function memoryNeed(profile: ModelProfile, plan: LoadPlan): MemoryNeed {
  const { layerBytes, inputBytes, outputBytes, tiedBytes, attention } = profile;
  const firstOnGpu = layerBytes.length + 1 - plan.gpuLayers;
  // What is packed is a copy, also of a table that turns tokens into vectors and back.
  const cpuOutput = plan.gpuLayers > 0 ? 0 : outputBytes - (plan.packsWeights ? 0 : tiedBytes);
  const isOnGpu = (_: unknown, layer: number) => layer >= firstOnGpu;
  const isOnCpu = (_: unknown, layer: number) => layer < firstOnGpu;
  const cache = (layers: readonly LayerAttention[]) => sum(layers.map((layer) => cacheBytes(layer, plan)));
  return {
    ram: {
      weights: inputBytes + (plan.packsWeights ? PACKED : 1) * (sum(layerBytes.filter(isOnCpu)) + cpuOutput),
      cache: cache(attention.filter(isOnCpu)),
      compute: firstOnGpu > 0 ? computeBytes(profile, plan, MAX_OUTPUTS) : 0,
      process: PROCESS_BYTES + profile.vocabulary * VOCABULARY_BYTES,
    },
    vram: {
      weights: sum(layerBytes.filter(isOnGpu)) + (plan.gpuLayers > 0 ? outputBytes : 0),
      cache: cache(attention.filter(isOnGpu)),
      compute: plan.gpuLayers > 0 ? computeBytes(profile, plan, BATCH_TOKENS) : 0,
      process: 0,
    },
  };
}

export function totalBytes({ weights, cache, compute, process }: MemoryParts): number {
  return weights + cache + compute + process;
}

function cacheBytes(
  { cachedValues, window }: LayerAttention,
  { contextSize, parallel, kvCache = 'f16' }: LoadPlan,
): number {
  const context = inBlocks(contextSize);
  // Before old tokens leave the window, a whole batch comes in (llama_kv_cache_iswa); node-llama-cpp adds one.
  const tokens = window === undefined ? context : Math.min(context, inBlocks(window + BATCH_TOKENS + 1));
  return cachedValues * CACHED[kvCache] * tokens * parallel;
}

/** One buffer holds first what the widest layer works with and the mask of attention, then so many tokens’ logits. */
function computeBytes(profile: ModelProfile, { contextSize }: LoadPlan, outputs: number): number {
  const { embedding, layerValues, vocabulary, encoder } = profile;
  const batch = encoder ? TEXT_TOKENS : BATCH_TOKENS;
  const mask = batch * HALF * inBlocks(encoder ? TEXT_TOKENS : contextSize);
  const logits = encoder ? 0 : outputs * FLOAT * (vocabulary + 2 * embedding);
  return Math.max(batch * FLOAT * layerValues + mask, logits);
}

function inBlocks(tokens: number): number {
  return Math.ceil(tokens / CONTEXT_BLOCK) * CONTEXT_BLOCK;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
