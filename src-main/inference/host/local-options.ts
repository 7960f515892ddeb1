import { basename } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { KvCacheType } from '../../../src-preload/contract/long-context.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { CrashBreakerOptions } from '../../process/crash-breaker.ts';
import type { HeartbeatOptions } from '../../process/heartbeat.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { DraftModel, MissingDraft } from '../backend.ts';
import type { LoadOptions } from '../engine-protocol.ts';
import type { RopeScaling } from '../rope.ts';

/** Where long instructions are kept on the disk when they were evaluated. */
export interface KeepPrompts {
  folder: string;
  /** Bytes of all of them, at the most; 0: none are kept. */
  most: number;
  /** Those of requests that do not say whether they may be kept are. Default false. */
  forOthers?: boolean;
}

export interface LocalBackendOptions {
  /** A GGUF file. */
  modelPath: string;
  log: Logger;
  /** Name that requests may use. Default: the file's name without «.gguf». */
  name?: string;
  /** SHA-256 of the file, 64 hex, where it is known. Default: computed while the model loads. */
  sha256?: string;
  /** The built-in model that is only for trying things out. Default false. */
  tiny?: boolean;
  /** Layers on the GPU: -1 as many as fit, 0 none. Default: `GPU_LAYERS` in the environment, else -1. */
  gpuLayers?: number;
  /** The only GPUs that it may use: numbers, or NVIDIA’s ids. Default: all. */
  gpus?: readonly string[];
  /** Bytes of GPU memory that stay free where layers are chosen. Default: what node-llama-cpp leaves. */
  vramReserve?: number | undefined;
  /** Threads that compute. Default: physical cores − 1, at least 1. */
  threads?: number;
  /** Most tokens of one request; less where the model was trained on less, or memory is short. Default: as in {@link DEFAULTS}. */
  contextSize?: number;
  /** Requests decoded together; fewer where memory is short. Default: as in {@link DEFAULTS}. */
  parallel?: number;
  /** What the cache keeps each value as. Default f16. */
  kvCache?: KvCacheType;
  /** How positions are scaled. Default: as the file has them. */
  rope?: RopeScaling | undefined;
  /** Default: none are kept. */
  keepPrompts?: KeepPrompts | undefined;
  /** Guesses what the model says next. Default: nobody does. */
  draft?: DraftModel | MissingDraft | undefined;
  /** Requests that may wait for their turn before others are refused with OVERLOADED. Default 256. */
  maxWaiting?: number;
  breaker?: CrashBreakerOptions;
  /** When an engine hangs. */
  heartbeat?: Pick<HeartbeatOptions, 'everyMs' | 'patienceMs'>;
  spawner?: ProcessSpawner;
  /** Module of the engine child. Default: `engine-child` beside this module. */
  entry?: URL;
  /** Milliseconds, monotonic. */
  now?: () => number;
}

/** @throws CONFIG_INVALID when GPU_LAYERS is no layer count */
export function gpuLayersFrom(environment: NodeJS.ProcessEnv): number {
  const value = environment.GPU_LAYERS;
  if (value === undefined || value === '') return -1;
  const layers = z.coerce.number().int().min(-1).safeParse(value);
  if (layers.success) return layers.data;
  throw new QuarryError({
    code: 'CONFIG_INVALID',
    message: say('engine.gpuLayers', { value }),
    hint: say('engine.gpuLayersAre'),
    field: 'GPU_LAYERS',
  });
}

const MB = 1_000_000;

/** Bytes of GPU memory that a setting in MB leaves to other programs. */
export function vramReserveOf({ vramReserveMb }: { vramReserveMb?: number | undefined }): number | undefined {
  return vramReserveMb === undefined ? undefined : vramReserveMb * MB;
}

/** What settings scale positions by; undefined where they are to be as the file has them. */
export function ropeOf({ scaling, factor, originalContext }: RopeSettings): RopeScaling | undefined {
  if (scaling === 'none') return undefined;
  return { type: scaling, factor, ...(originalContext !== undefined && { originalContext }) };
}

interface RopeSettings extends Omit<RopeScaling, 'type' | 'originalContext'> {
  scaling: RopeScaling['type'] | 'none';
  originalContext?: number | undefined;
}

/** What the engine child is told of the options, with their defaults. @throws CONFIG_INVALID */
export function loadOptions(options: LocalBackendOptions): LoadOptions {
  const { modelPath, threads, vramReserve, rope, draft } = options;
  return {
    modelPath,
    name: options.name ?? basename(modelPath).replace(/\.gguf$/i, ''),
    tiny: options.tiny ?? false,
    gpuLayers: options.gpuLayers ?? gpuLayersFrom(process.env),
    ...(threads !== undefined && { threads }),
    ...(vramReserve !== undefined && { vramReserve }),
    contextSize: options.contextSize ?? DEFAULTS.contextSize,
    parallel: options.parallel ?? DEFAULTS.parallel,
    kvCache: options.kvCache ?? DEFAULTS.kvCache,
    ...(rope && { rope }),
    ...(draft && 'path' in draft && { draft: { path: draft.path, name: draft.name } }),
  };
}
