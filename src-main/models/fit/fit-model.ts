import type { KvCacheType } from '../../../src-preload/contract/long-context.ts';
import type { ModelFit } from '../../../src-preload/contract/models.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { longestContext, type RopeScaling } from '../../inference/rope.ts';
import type { Calibration } from '../../store/calibrations.ts';
import { type FitMachine, isUnified, usableRam, usableVram } from './machine.ts';
import { type LoadPlan, type MemoryNeed, memoryNeed, totalBytes } from './memory.ts';
import type { ModelProfile } from './model-profile.ts';
import { bandwidths, bytesPerToken, speedClass, speedRange, tokensPerSecond } from './speed.ts';

export interface FitOptions {
  /** Tokens of context for one request; no more than the model takes are counted. */
  contextSize: number;
  /** Requests decoded together. Where they do not fit, half as many are tried, down to one: as the engine does. */
  parallel: number;
  /** What the cache keeps each value as. Default f16. */
  kvCache?: KvCacheType;
  /** How positions are scaled. Default: as the file has them. */
  rope?: RopeScaling | undefined;
  /** Layers on the GPU. Default, and −1: as many as fit. */
  gpuLayers?: number;
  /** What was measured on this machine, the latest first. */
  calibrations: readonly Calibration[];
  /** Of the model’s file, 64 hex, where it is known: a measurement of this very model is better than an estimate. */
  sha256?: string | undefined;
}

/** How a model would run beside others, at the moment that was looked at. @param sha256 of its file, 64 hex */
export type FitBeside = (profile: ModelProfile, sha256: string) => ModelFit;

/** How a model would run on a machine: where its layers go, what memory it takes, and about how fast it is. */
export function fitModel(profile: ModelProfile, machine: FitMachine, options: FitOptions): ModelFit {
  const longest = longestContext(profile, options.rope);
  const contextSize = Math.min(options.contextSize, longest);
  const loaded = { packsWeights: machine.packsWeights ?? false, kvCache: options.kvCache ?? 'f16' };
  const layers = profile.layerBytes.length + 1;
  const { gpuLayers: wanted = -1 } = options;
  const ofGpus = wanted < 0 ? undefined : Math.min(wanted, layers);
  const wantedLayers = machine.gpus.length === 0 ? 0 : ofGpus;
  const candidates = loadPlans(contextSize, { layers, wantedLayers, parallel: options.parallel });
  const plans = candidates.map((candidate) => ({ ...candidate, ...loaded }));
  const plan = plans.find((candidate) => hasRoom(memoryNeed(profile, candidate), machine));
  // Without room for any, it is told what the least of them would need.
  const shown = plan ?? { contextSize, parallel: 1, gpuLayers: wantedLayers ?? 0, ...loaded };
  const need = memoryNeed(profile, shown);
  const runs = plan ? placement(plan.gpuLayers, layers) : 'no';
  return {
    runs,
    contextSize,
    parallel: shown.parallel,
    longest,
    memory: addedUp(need),
    room: scarcest(need, shown.gpuLayers, machine),
    gpuLayers: shown.gpuLayers,
    layers,
    speed: speed(profile, machine, shown.gpuLayers, options),
    ...told({ reason: reason(runs, { ...shown, layers }, need, machine) }),
  };
}

interface PlanBounds {
  layers: number;
  /** How many somebody wants on the GPU; undefined leaves it to what fits. */
  wantedLayers: number | undefined;
  parallel: number;
}

/** From the best to the last resort: all on the GPU, then as many layers as fit, then none; each with fewer requests. */
function loadPlans(contextSize: number, { layers, wantedLayers, parallel }: PlanBounds): LoadPlan[] {
  const counts = halves(parallel);
  const placements =
    wantedLayers === undefined ? Array.from({ length: layers + 1 }, (_, fewer) => layers - fewer) : [wantedLayers];
  return placements.flatMap((gpuLayers) => counts.map((count) => ({ contextSize, parallel: count, gpuLayers })));
}

function halves(parallel: number): number[] {
  const counts: number[] = [];
  for (let count = parallel; count >= 1; count = Math.floor(count / 2)) counts.push(count);
  return counts;
}

function hasRoom({ ram, vram }: MemoryNeed, machine: FitMachine): boolean {
  const inVram = totalBytes(vram);
  const inRam = totalBytes(ram) + (isUnified(machine) ? inVram : 0);
  return inVram <= usableVram(machine) && inRam <= usableRam(machine);
}

function placement(gpuLayers: number, layers: number): ModelFit['runs'] {
  if (gpuLayers === 0) return 'cpu';
  return gpuLayers === layers ? 'gpu' : 'partly';
}

function addedUp({ ram, vram }: MemoryNeed): ModelFit['memory'] {
  return {
    weights: ram.weights + vram.weights,
    cache: ram.cache + vram.cache,
    overhead: ram.compute + ram.process + vram.compute + vram.process,
    total: totalBytes(ram) + totalBytes(vram),
  };
}

function scarcest({ ram, vram }: MemoryNeed, gpuLayers: number, machine: FitMachine): ModelFit['room'] {
  const onGpu = gpuLayers > 0;
  const { weights, cache, compute, process } = onGpu ? vram : ram;
  const usable = onGpu ? usableVram(machine) : usableRam(machine);
  return { of: onGpu ? 'vram' : 'ram', usable, weights, cache, overhead: compute + process };
}

function speed(
  profile: ModelProfile,
  machine: FitMachine,
  gpuLayers: number,
  { calibrations, sha256 }: FitOptions,
): ModelFit['speed'] {
  const { threads } = machine;
  const own = calibrations.find(
    (entry) => entry.sha256 === sha256 && entry.gpuLayers === gpuLayers && entry.threads === threads,
  );
  if (own) return speedOf(own.decode, 'own');
  const bytes = bytesPerToken(profile, gpuLayers);
  const { measured, ...memory } = bandwidths(machine, { bytes, bits: profile.bits }, calibrations);
  return speedOf(tokensPerSecond(bytes, memory), measured ? 'comparable' : 'guess');
}

function speedOf(rate: number, basis: 'own' | 'comparable' | 'guess'): ModelFit['speed'] {
  return { class: speedClass(rate), tokensPerSecond: rate, ...speedRange(rate, basis), measured: basis === 'own' };
}

function reason(
  runs: ModelFit['runs'],
  { gpuLayers, layers, parallel }: LoadPlan & { layers: number },
  { ram, vram }: MemoryNeed,
  machine: FitMachine,
): Saying {
  const together = parallel === 1 ? say('fit.one') : say('fit.several', { count: parallel });
  if (runs === 'gpu') return say('fit.gpu', { vram: totalBytes(vram), together });
  if (runs === 'partly') {
    return say('fit.partly', { gpuLayers, layers, together });
  }
  const needed = totalBytes(ram);
  if (runs === 'cpu') return say('fit.cpu', { needed, together });
  return say('fit.no', { needed: needed + totalBytes(vram), usable: usableMemory(machine) });
}

function usableMemory(machine: FitMachine): number {
  return usableRam(machine) + (isUnified(machine) ? 0 : usableVram(machine));
}
