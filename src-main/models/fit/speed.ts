import type { ModelFit } from '../../../src-preload/contract/models.ts';
import type { Calibration } from '../../store/calibrations.ts';
import type { FitMachine } from './machine.ts';
import type { ModelProfile } from './model-profile.ts';

/** Bytes of weights that are read for each token of an answer, by the memory in which they lie. */
export interface BytesPerToken {
  cpu: number;
  gpu: number;
}

/** Bytes a second at which weights can be read and computed with. */
export type Bandwidths = BytesPerToken;

/**
 * Rough figures for a machine on which nothing was measured: what common cards of each kind reach of their memory’s
 * bandwidth while decoding (an RTX 3060 has 360 GB/s, a Radeon or an Arc through Vulkan less of what it has, an Apple
 * M-series chip 100 to 400).
 */
const GPU_BANDWIDTH = new Map([
  ['cuda', 250e9],
  ['vulkan', 120e9],
  ['metal', 100e9],
]);
const UNKNOWN_GPU_BANDWIDTH = 100e9;
/** One thread computes with about so many bytes of quantised weights a second; two channels of memory give so many. */
const THREAD_BANDWIDTH = 9e9;
const MEMORY_BANDWIDTH = 40e9;

/** The slowest speed of each class, in tokens a second; people read about 5. */
const CLASSES = [
  ['fast', 30],
  ['comfortable', 10],
  ['slow', 3],
] as const;

/** @param gpuLayers as llama.cpp counts them: the output is one more than there are layers */
export function bytesPerToken(profile: ModelProfile, gpuLayers: number): BytesPerToken {
  const { layerBytes, outputBytes, activeShare } = profile;
  const firstOnGpu = layerBytes.length + 1 - gpuLayers;
  const active = (layers: readonly number[]) => activeShare * layers.reduce((sum, bytes) => sum + bytes, 0);
  return {
    cpu: active(layerBytes.slice(0, firstOnGpu)) + (gpuLayers === 0 ? outputBytes : 0),
    gpu: active(layerBytes.slice(firstOnGpu)) + (gpuLayers > 0 ? outputBytes : 0),
  };
}

/**
 * What this machine’s memory gives: by the latest calibration that ran on one kind of memory only, of whatever model, else
 * a guess.
 * @param calibrations of this machine, the latest first
 */
export function bandwidths({ gpus, threads }: FitMachine, calibrations: readonly Calibration[]): Bandwidths {
  const onCpu = calibrations.find(({ gpuBytes, threads: used }) => gpuBytes === 0 && used === threads);
  const onGpu = calibrations.find(({ cpuBytes }) => cpuBytes === 0);
  const [gpu] = gpus;
  return {
    cpu: onCpu ? onCpu.cpuBytes * onCpu.decode : Math.min(threads * THREAD_BANDWIDTH, MEMORY_BANDWIDTH),
    gpu: onGpu ? onGpu.gpuBytes * onGpu.decode : (GPU_BANDWIDTH.get(gpu?.backend ?? '') ?? UNKNOWN_GPU_BANDWIDTH),
  };
}

/** A token takes as long as reading the weights that it needs: decoding waits for memory and little else. */
export function tokensPerSecond(bytes: BytesPerToken, { cpu, gpu }: Bandwidths): number {
  const seconds = bytes.cpu / cpu + bytes.gpu / gpu;
  return seconds > 0 ? 1 / seconds : 0;
}

export function speedClass(tokensPerSecond: number): ModelFit['speed']['class'] {
  return CLASSES.find(([, least]) => tokensPerSecond >= least)?.[0] ?? 'painful';
}
