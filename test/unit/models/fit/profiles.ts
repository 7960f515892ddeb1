import type { FitMachine } from '../../../../src-main/models/fit/machine.ts';
import type { ModelProfile } from '../../../../src-main/models/fit/model-profile.ts';
import type { Calibration } from '../../../../src-main/store/calibrations.ts';

export const GIB = 1024 ** 3;

/** Ten layers of a gigabyte each, and a table that is used twice. */
export const profile: ModelProfile = {
  bits: 4.5,
  layerBytes: new Array(10).fill(GIB),
  inputBytes: GIB / 2,
  outputBytes: GIB / 2,
  tiedBytes: GIB / 2,
  activeShare: 1,
  attention: new Array(10).fill({ cachedValues: 2048 }),
  embedding: 4096,
  layerValues: 50_000,
  vocabulary: 32_000,
  encoder: false,
  ...{ contextLength: 32_768, originalContext: 32_768, hasRope: true, hasWholeBlocks: true },
};

export const machine = (changes: Partial<FitMachine> = {}): FitMachine => ({
  gpus: [],
  freeRam: 32 * GIB,
  totalRam: 64 * GIB,
  threads: 4,
  ...changes,
});

export const gpu = (freeGib: number, backend = 'cuda') => ({
  freeBytes: freeGib * GIB,
  totalBytes: freeGib * GIB,
  backend,
});

export const calibration = (changes: Partial<Calibration>): Calibration => ({
  sha256: 'a'.repeat(64),
  device: 'cpu',
  threads: 4,
  gpuLayers: 0,
  prefill: 100,
  decode: 10,
  cpuBytes: 8e9,
  gpuBytes: 0,
  bits: 4.9,
  decodeCosts: [],
  measuredAt: 1,
  ...changes,
});
