import { type Saying, say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { GpuInfo, GpuReading } from '../report.ts';
import type { CheckResult } from './check.ts';

/** Makers whose cards llama.cpp can compute on. Virtual machines show other «cards» that only draw. */
const COMPUTES = /nvidia|amd|advanced micro|radeon|intel|arc|apple/i;

/**
 * Whether there is a GPU, and whether the engine uses it.
 *
 * @param gpuLayers the setting: 0 keeps everything on the CPU
 */
export function checkGpu(gpus: GpuReading, gpuLayers: number): CheckResult {
  const name = 'gpu';
  if (gpus.value === undefined) {
    return { name, status: 'skip', ...told({ found: say('doctor.gpu.unknown', { reason: wordsOf(gpus, 'reason') }) }) };
  }
  const usable = gpus.value.filter((gpu) => gpu.backend !== undefined);
  const idle = gpus.value.filter((gpu) => gpu.backend === undefined && COMPUTES.test(gpu.name));
  if (usable.length > 0 && gpuLayers === 0) {
    return {
      name,
      status: 'warn',
      ...told({
        found: say('doctor.gpu.switchedOff', { gpus: usable.map(describe) }),
        advice: say('doctor.gpu.letChoose'),
      }),
    };
  }
  if (usable.length > 0)
    return { name, status: 'ok', ...told({ found: say('doctor.gpu.used', { gpus: usable.map(describe) }) }) };
  if (idle.length > 0) {
    return {
      name,
      status: 'warn',
      ...told({
        found: say('doctor.gpu.idle', { gpus: idle.map(({ name }) => name) }),
        advice: say('doctor.gpu.driver'),
      }),
    };
  }
  return {
    name,
    status: 'ok',
    ...told({ found: noGpu(gpus), advice: say('doctor.gpu.small') }),
  };
}

function noGpu({ leftOut = [] }: GpuReading): Saying {
  if (leftOut.length === 0) return say('doctor.gpu.none');
  return say('doctor.gpu.softwareOnly', { names: leftOut.map(({ name }) => name) });
}

function describe({ name, backend = '', vramTotal: total, vramFree: free }: GpuInfo): Saying {
  if (total !== undefined && free !== undefined) return say('doctor.gpu.withFree', { name, backend, total, free });
  if (total !== undefined) return say('doctor.gpu.withTotal', { name, backend, total });
  return free === undefined
    ? say('doctor.gpu.bare', { name, backend })
    : say('doctor.gpu.freeOnly', { name, backend, free });
}

/** A model that this node could serve. */
export interface InstalledModel {
  name: string;
  /** The built-in one that is only for trying things out. */
  tiny: boolean;
}

/** Whether there is a real model to serve. */
export function checkModel(models: InstalledModel[]): CheckResult {
  const real = models.filter(({ tiny }) => !tiny);
  if (real.length > 0) {
    const names = real.slice(0, 5).map((model) => model.name);
    const more = real.length - names.length;
    const found = more > 0 ? say('doctor.model.andMore', { names, more }) : say('doctor.model.installed', { names });
    return { name: 'model', status: 'ok', ...told({ found }) };
  }
  return {
    name: 'model',
    status: 'warn',
    ...told({
      found: say(models.length > 0 ? 'doctor.model.onlyTiny' : 'doctor.model.none'),
      advice: say('doctor.model.import'),
    }),
  };
}
