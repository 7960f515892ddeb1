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

/** A model whose weights are so many times larger or smaller tells nothing: small ones stay in the processor’s caches. */
const COMPARABLE_SIZE = 4;

/** Weights of about as many bits cost about as much to compute with: up to 3, 6, 10 and more bits. */
const WIDTHS = [3.5, 6.2, 10];

/** The share of an estimate, downwards and upwards, that a speed most likely stays in, by what it was made from. */
const MARGINS = {
  /** This very model, loaded the same way. */
  own: [0.85, 1.15],
  comparable: [0.75, 1.3],
  /** Nothing that was measured here: processors and cards of one kind differ so much. */
  guess: [0.5, 2],
} as const;

export function speedRange(rate: number, basis: keyof typeof MARGINS): { low: number; high: number } {
  const [down, up] = MARGINS[basis];
  return { low: rate * down, high: rate * up };
}

/**
 * What this machine’s memory gives: by the calibration of the most similar model that ran on one kind of memory only, where one is
 * similar at all, else a guess.
 * @param bits per weight, of the model that is asked about
 * @param calibrations of this machine
 */
export function bandwidths(
  { gpus, threads }: FitMachine,
  { bytes, bits }: { bytes: BytesPerToken; bits: number },
  calibrations: readonly Calibration[],
): Bandwidths & { measured: boolean } {
  const size = bytes.cpu + bytes.gpu;
  const alike = calibrations
    .filter((one) => widthOf(one.bits) === widthOf(bits) && apart(one, size) <= COMPARABLE_SIZE)
    .sort((a, b) => apart(a, size) - apart(b, size));
  const onCpu = alike.find(({ gpuBytes, threads: used }) => gpuBytes === 0 && used === threads);
  const onGpu = alike.find(({ cpuBytes }) => cpuBytes === 0);
  const [gpu] = gpus;
  return {
    cpu: onCpu ? onCpu.cpuBytes * onCpu.decode : Math.min(threads * THREAD_BANDWIDTH, MEMORY_BANDWIDTH),
    gpu: onGpu ? onGpu.gpuBytes * onGpu.decode : (GPU_BANDWIDTH.get(gpu?.backend ?? '') ?? UNKNOWN_GPU_BANDWIDTH),
    measured: (bytes.cpu === 0 || onCpu !== undefined) && (bytes.gpu === 0 || onGpu !== undefined),
  };
}

/** How many times as large the larger of the two is. */
function apart({ cpuBytes, gpuBytes }: Calibration, size: number): number {
  const other = cpuBytes + gpuBytes;
  return Math.max(other, size) / Math.max(1, Math.min(other, size));
}

/** −1 where the bits are not known: such a one is like no other. */
function widthOf(bits: number): number {
  return bits > 0 ? WIDTHS.filter((most) => bits > most).length : -1;
}

/** A token takes as long as reading the weights that it needs: decoding waits for memory and little else. */
export function tokensPerSecond(bytes: BytesPerToken, { cpu, gpu }: Bandwidths): number {
  const seconds = bytes.cpu / cpu + bytes.gpu / gpu;
  return seconds > 0 ? 1 / seconds : 0;
}

export function speedClass(tokensPerSecond: number): ModelFit['speed']['class'] {
  return CLASSES.find(([, least]) => tokensPerSecond >= least)?.[0] ?? 'painful';
}
