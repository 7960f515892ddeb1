import {
  getLlama,
  InsufficientMemoryError,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  NoBinaryFoundError,
} from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { KvCacheType } from '../../../src-preload/contract/long-context.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import { type ModelFacts, makesEmbeddings } from '../../gguf/model-facts.ts';
import { type CheckedGguf, checkGguf, invalid } from '../../gguf/model-file.ts';
import type { GpuDevice } from '../backend.ts';
import { BATCH_TOKENS, type LoadedInfo, type LoadOptions } from '../engine-protocol.ts';
import { ropeOverride } from '../rope.ts';
import { isSoftwareGpu, realGpus } from '../software-gpu.ts';
import { trustProcessorBinary } from './binary-trial.ts';

export interface LoadedModel {
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  /** Of the model's file. */
  header: GgufHeader;
  info: LoadedInfo;
}

const MEAN_POOLING = 1;
const GGML_TYPES = { q8_0: 'Q8_0', q4_0: 'Q4_0' } as const satisfies Record<Exclude<KvCacheType, 'f16'>, string>;
/** A conversation needs about so many tokens; below it, fewer parallel requests are better than shorter ones. */
const COMFORTABLE_CONTEXT = 4096;
/** Below it, a model is of no use. */
const LEAST_CONTEXT = 512;

/** llama.cpp for this machine: never compiled and never downloaded here. `gpu: false` leaves the GPU alone. */
export async function openLlama(gpu: 'auto' | false, vramReserve?: number): Promise<Llama> {
  const trustNoMore = trustProcessorBinary();
  try {
    return await getLlama({
      ...placement(gpu, vramReserve),
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      // No limit: the number of threads is ours to choose.
      maxThreads: 0,
      logLevel: LlamaLogLevel.warn,
      logger: (_level, message) => process.stderr.write(message.endsWith('\n') ? message : `${message}\n`),
    });
  } catch (error) {
    if (!(error instanceof NoBinaryFoundError)) throw error;
    throw new QuarryError({
      code: 'ENGINE_UNAVAILABLE',
      message: say('engine.noBinary'),
      hint: say('engine.installAgain'),
    });
  } finally {
    trustNoMore();
  }
}

/** Where llama.cpp computes, and how much GPU memory it leaves free. @param vramReserve bytes. Default: node-llama-cpp’s own */
export function placement(gpu: 'auto' | false, vramReserve?: number) {
  return { gpu, ...(vramReserve !== undefined && { vramPadding: vramReserve }) };
}

/** The GPUs of a loaded llama.cpp. It reports the memory of several as one sum. */
export async function readGpus(llama: Pick<Llama, 'gpu' | 'getGpuDeviceNames' | 'getVramState'>): Promise<GpuDevice[]> {
  const { gpu: backend } = llama;
  if (!backend) return [];
  const names = await llama.getGpuDeviceNames();
  const { total: vramTotal, free: vramFree } = await llama.getVramState();
  const all = names.length > 0 ? names : [backend];
  const real = all.filter((name) => !isSoftwareGpu({ name, vramTotal }));
  const software = all.filter((name) => !real.includes(name));
  return [
    ...(real.length > 0
      ? [{ name: real.join(' + '), backend, vramTotal, vramFree, ...(real.length > 1 && { devices: real }) }]
      : []),
    ...software.map((name) => ({ name, backend, vramTotal: 0, vramFree: 0, software: true as const })),
  ];
}

/** llama.cpp as models are loaded with it: a «GPU» that is a program is left alone. */
async function openForModels({ gpuLayers, vramReserve }: LoadOptions): Promise<Llama> {
  if (gpuLayers === 0) return await openLlama(false);
  const llama = await openLlama('auto', vramReserve);
  if (!llama.gpu || realGpus(await readGpus(llama)).length > 0) return llama;
  await llama.dispose();
  return await openLlama(false);
}

/**
 * Loads the model with as many layers on the GPU, as long a context and as many sequences as memory allows.
 * @param onProgress how much of the model is in memory, 0–1
 * @throws OUT_OF_MEMORY, MODEL_INVALID, ENGINE_UNAVAILABLE; CONFIG_INVALID where its cache cannot be quantised
 */
export async function loadModel(options: LoadOptions, onProgress?: (share: number) => void): Promise<LoadedModel> {
  const file = await checkGguf(options.modelPath);
  checkCache(file.facts, options);
  const { header } = file;
  const llama = await openForModels(options);
  const model = await openModel(llama, file, options, onProgress);
  const threads = options.threads ?? Math.max(1, llama.cpuMathCores - 1);
  const context = await openContext(model, options, threads);
  const info = describe({ llama, model, context }, file, { ...options, threads });
  return { llama, model, context, header, info };
}

/** llama.cpp would make no context, and not say why. */
function checkCache({ hasWholeBlocks, encoder }: ModelFacts, { name, kvCache }: LoadOptions): void {
  if (kvCache === 'f16' || hasWholeBlocks || encoder) return;
  throw new QuarryError({
    code: 'CONFIG_INVALID',
    message: say('engine.noSmallCache', { name, kvCache }),
    hint: say('engine.wholeCache'),
    field: 'kvCache',
  });
}

async function openModel(
  llama: Llama,
  { header, facts }: CheckedGguf,
  { modelPath, gpuLayers, contextSize, kvCache, rope }: LoadOptions,
  onProgress: ((share: number) => void) | undefined,
): Promise<LlamaModel> {
  try {
    return await llama.loadModel({
      modelPath,
      gpuLayers:
        gpuLayers < 0 ? { fitContext: { contextSize: Math.min(contextSize, COMFORTABLE_CONTEXT) } } : gpuLayers,
      ...(!facts.encoder && cacheTypes(kvCache)),
      metadataOverrides: { [facts.architecture]: { ...poolingOverride(header, facts), ...ropeOverride(facts, rope) } },
      ...(onProgress && { onLoadProgress: onProgress }),
    });
  } catch (error) {
    if (error instanceof InsufficientMemoryError) throw outOfMemory(error);
    throw invalid(modelPath, say('gguf.refused', { why: reason(error) }), { cause: error });
  }
}

/** Embeddings of a model that was not made for them are the mean over its tokens. */
function poolingOverride({ metadata }: GgufHeader, { architecture }: ModelFacts) {
  return metadata.has(`${architecture}.pooling_type`) ? undefined : { pooling_type: MEAN_POOLING };
}

/** Of every context of a model. llama.cpp reads a quantised cache of values only with flash attention. */
function cacheTypes(kvCache: KvCacheType) {
  if (kvCache === 'f16') return undefined;
  const type = GGML_TYPES[kvCache];
  return {
    defaultContextFlashAttention: true,
    experimentalDefaultContextKvCacheKeyType: type,
    experimentalDefaultContextKvCacheValueType: type,
  };
}

async function openContext(model: LlamaModel, options: LoadOptions, threads: number): Promise<LlamaContext> {
  const most = Math.min(options.contextSize, model.trainContextSize);
  for (const { sequences, least } of contextAttempts(options.parallel, most)) {
    try {
      return await model.createContext({
        sequences,
        contextSize: { min: least, max: most },
        batchSize: BATCH_TOKENS,
        threads,
      });
    } catch (error) {
      if (sequences === 1 && least <= LEAST_CONTEXT) throw outOfMemory(error);
    }
  }
  throw outOfMemory(undefined);
}

/** What to try until it fits: half as many sequences each time, and last a context that is only just useful. */
export function contextAttempts(parallel: number, most: number): { sequences: number; least: number }[] {
  const attempts: { sequences: number; least: number }[] = [];
  for (let sequences = parallel; sequences >= 1; sequences = Math.floor(sequences / 2)) {
    attempts.push({ sequences, least: Math.min(most, COMFORTABLE_CONTEXT) });
  }
  if (most > LEAST_CONTEXT) attempts.push({ sequences: 1, least: LEAST_CONTEXT });
  return attempts;
}

const UNQUANTISED = ['F32', 'F16', 'BF16'];

function describe(
  { llama, model, context }: Omit<LoadedModel, 'header' | 'info'>,
  { header, facts }: CheckedGguf,
  { name, tiny, threads, kvCache, rope }: LoadOptions & { threads: number },
): LoadedInfo {
  const { gpuLayers } = model;
  const { architecture, hasRope, encoder } = facts;
  return {
    name,
    tiny,
    unquantised: header.tensors.every(({ type }) => UNQUANTISED.includes(type)) || undefined,
    vocabulary: facts.vocabulary,
    endToken: model.tokens.eot ?? model.tokens.eos ?? undefined,
    embedsOnly: makesEmbeddings(header.metadata, architecture) || undefined,
    architecture,
    parameters: parameterCount(model),
    quantisation: quantisation(model),
    contextSize: context.contextSize,
    parallel: context.totalSequences,
    kvCache: encoder ? 'f16' : kvCache,
    ...(rope && hasRope && { rope }),
    device: llama.gpu && gpuLayers > 0 ? llama.gpu : 'cpu',
    gpuLayers,
    threads,
  };
}

function parameterCount({ fileInfo }: LlamaModel): number | undefined {
  return fileInfo.fullTensorInfo?.reduce(
    (sum, { dimensions }) => sum + dimensions.reduce<number>((product, length) => product * Number(length), 1),
    0,
  );
}

/** llama.cpp's name of the file's type: «qwen3 0.6B Q8_0» ends with it. */
function quantisation({ typeDescription }: LlamaModel): string | undefined {
  return /\b(I?Q\d\w*|TQ\d\w*|BF16|F16|F32|MXFP4\w*)\b/.exec(typeDescription)?.[1];
}

function outOfMemory(cause: unknown): QuarryError {
  return new QuarryError(
    {
      code: 'OUT_OF_MEMORY',
      message: cause ? say('engine.noMemoryWhy', { why: reason(cause) }) : say('engine.noMemory'),
      hint: say('engine.smaller'),
    },
    { cause },
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
