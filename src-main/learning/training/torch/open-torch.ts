import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { seededRandom } from '../../../base/seeded-random.ts';
import { Slices } from '../../../base/slices.ts';
import { GgufError } from '../../../gguf/gguf-error.ts';
import type { GgufHeader } from '../../../gguf/header.ts';
import { invalid, readModelHeader } from '../../../gguf/model-file.ts';
import { type BaseShape, baseShape } from '../../formats/base-shape.ts';
import type { LoraAdapter } from '../../formats/lora-adapter.ts';
import { newAdapter } from '../../formats/new-adapter.ts';
import { readPeft, writePeft } from '../../formats/peft-adapter.ts';
import { checkTensors } from '../model/model-weights.ts';
import { type ModelShape, modelShape } from '../model/shape.ts';
import { DEFAULT_LONGEST, type Forecast, type TrainerModel } from '../trainer.ts';
import { settingsSchema } from '../training-messages.ts';
import type { SampleRules } from './check-samples.ts';
import { writeProgram } from './program.ts';
import { type TorchUse, torchForecast } from './torch-forecast.ts';
import type { Device, FileTensor, Hello } from './torch-messages.ts';
import { TorchProcess, type TorchProcessOptions } from './torch-process.ts';

export interface TorchOptions extends Pick<TorchProcessOptions, 'python' | 'spawner' | 'log'> {
  /** Default: a GPU where PyTorch finds one. */
  device?: Device | undefined;
  /** Of the processor. Default: all. */
  threads?: number | undefined;
  /** Bytes of the processor's memory that it may take where it computes there. Of a GPU's it takes what is free. Default: any. */
  memoryLimit?: number | undefined;
}

/** A child with its model loaded. */
export interface OpenTorch {
  process: TorchProcess;
  base: BaseShape;
  /** The adapter less its numbers, which only the child has. */
  outline: LoraAdapter;
  rules: SampleRules;
  forecast: Forecast;
}

/**
 * What a training takes, without starting anything; reads the head of the model's file and nothing else. How much of a GPU's memory is free is seen when it is opened.
 * @throws UNSUPPORTED; OUT_OF_MEMORY; MODEL_NOT_FOUND, MODEL_INVALID
 */
export async function foreseeTorch(
  model: Pick<TrainerModel, 'modelPath' | 'settings' | 'longest'>,
  { device = 'cpu', threads = availableParallelism(), memoryLimit }: Omit<TorchOptions, 'python'>,
): Promise<Forecast> {
  const shape = shapeOf(model.modelPath, await readModelHeader(model.modelPath));
  const use = { device, threads, tokens: model.longest ?? DEFAULT_LONGEST };
  if (device === 'cpu') checkFit(shape, model, use, memoryLimit);
  return torchForecast(shape, model.settings, use);
}

/**
 * Starts the child and has it load a model.
 * @param work folder for what the child is handed
 * @throws as {@link TorchTrainer.open}
 */
export async function openTorch(
  model: TrainerModel,
  work: string,
  options: TorchOptions,
  signal?: AbortSignal,
): Promise<OpenTorch> {
  const header = await readModelHeader(model.modelPath);
  const shape = shapeOf(model.modelPath, header);
  const base = baseShape(header);
  const { longest = DEFAULT_LONGEST } = model;
  const settings = settingsSchema.parse(model.settings);
  const { device, threads = availableParallelism() } = options;
  const use = { device: device ?? 'cpu', threads, tokens: longest };
  if (device === 'cpu') checkFit(shape, model, use, options.memoryLimit);
  const { folder, adapter } = await adapterFolder(model, { base, work });
  const program = join(work, 'program');
  await writeProgram(program);
  const { process, hello } = await TorchProcess.start({ ...options, program, memoryMiB: allowedMiB(options) }, signal);
  try {
    use.device = deviceOf(hello, device);
    const forecast = torchForecast(shape, settings, use);
    checkFit(shape, model, use, mostBytes(options, hello, use.device));
    const task = {
      ...({ do: 'open', model: model.modelPath, shape, tensors: placed(header), adapter: folder } as const),
      ...{ scale: adapter.alpha / adapter.rank, settings, device: use.device, threads },
    };
    // The larger a model is, the longer it is read: it gets the time of a step of one sample.
    await process.ask(task, { signal, foreseen: forecast.secondsPerStep(1, longest) });
    const rules = { settings, vocabulary: shape.vocabulary, longest };
    return { process, base, outline: withoutNumbers(adapter), rules, forecast };
  } catch (error) {
    await process.close();
    throw error;
  }
}

/** @throws UNSUPPORTED; MODEL_INVALID */
function shapeOf(path: string, header: GgufHeader): ModelShape {
  try {
    const shape = modelShape(header);
    checkTensors(header, shape);
    return shape;
  } catch (error) {
    if (error instanceof GgufError) throw invalid(path, error.why, { cause: error });
    throw error;
  }
}

/** The folder that the child loads, checked here; a new adapter is written first. */
async function adapterFolder(
  { from, settings }: TrainerModel,
  { base, work }: { base: BaseShape; work: string },
): Promise<{ folder: string; adapter: LoraAdapter }> {
  if (from !== undefined) return { folder: from, adapter: await readPeft(from, base) };
  const adapter = await newAdapter(base, settings, seededRandom(settings.seed).uniform, new Slices());
  await writePeft(work, adapter, 'new');
  return { folder: work, adapter };
}

function withoutNumbers(adapter: LoraAdapter): LoraAdapter {
  const none = new Float32Array();
  const matrices = new Map([...adapter.matrices].map(([name, matrix]) => [name, { ...matrix, a: none, b: none }]));
  return { ...adapter, matrices };
}

function placed({ tensors, dataOffset }: GgufHeader): Record<string, FileTensor> {
  return Object.fromEntries(
    tensors.map(({ name, type, dimensions, offset, bytes }) => [
      name,
      { type, dimensions, offset: dataOffset + offset, bytes },
    ]),
  );
}

function deviceOf(hello: Hello, wanted: Device | undefined): Device {
  if (wanted !== 'cuda' || hello.device === 'cuda') return wanted ?? hello.device;
  throw new QuarryError({ code: 'UNSUPPORTED', message: say('torch.noGpu') });
}

/** What was reckoned may be too little; far more is a fault. Of a GPU's memory nobody but the driver holds it to a bound. */
function allowedMiB({ device, memoryLimit }: TorchOptions): number | undefined {
  return device === 'cpu' && memoryLimit !== undefined ? Math.ceil((memoryLimit * 1.25) / 2 ** 20) : undefined;
}

function mostBytes({ memoryLimit }: TorchOptions, { freeBytes }: Hello, device: Device): number | undefined {
  return device === 'cuda' ? freeBytes : memoryLimit;
}

/** @throws OUT_OF_MEMORY with what is wanted and what there is */
function checkFit(
  shape: ModelShape,
  { settings }: Pick<TrainerModel, 'settings'>,
  use: TorchUse,
  free: number | undefined,
): void {
  const { memory } = torchForecast(shape, settings, use);
  if (free === undefined || memory <= free) return;
  throw new QuarryError({
    code: 'OUT_OF_MEMORY',
    message: say('training.doesNotFit', { needed: memory, limit: free }),
    hint: say('training.smallerModel'),
  });
}
