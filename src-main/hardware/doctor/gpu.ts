import type { Reading } from '../reading.ts';
import type { GpuInfo } from '../report.ts';
import { type CheckResult, gib } from './check.ts';

/** Makers whose cards llama.cpp can compute on. Virtual machines show other «cards» that only draw. */
const COMPUTES = /nvidia|amd|advanced micro|radeon|intel|arc|apple/i;

/**
 * Whether there is a GPU, and whether the engine uses it.
 *
 * @param gpuLayers the setting: 0 keeps everything on the CPU
 */
export function checkGpu(gpus: Reading<GpuInfo[]>, gpuLayers: number): CheckResult {
  const name = 'gpu';
  if (gpus.value === undefined) {
    return { name, status: 'skip', found: `The GPU could not be looked at: ${gpus.reason}.` };
  }
  const usable = gpus.value.filter((gpu) => gpu.backend !== undefined);
  const idle = gpus.value.filter((gpu) => gpu.backend === undefined && COMPUTES.test(gpu.name));
  if (usable.length > 0 && gpuLayers === 0) {
    return {
      name,
      status: 'warn',
      found: `${usable.map(describe).join('; ')} could be used, but gpuLayers is 0: models run on the CPU.`,
      advice: 'Remove gpuLayers = 0 (or GPU_LAYERS=0) to let Quarry choose.',
    };
  }
  if (usable.length > 0) return { name, status: 'ok', found: `Models run on ${usable.map(describe).join('; ')}.` };
  if (idle.length > 0) {
    return {
      name,
      status: 'warn',
      found: `${idle.map(({ name }) => name).join(', ')} is there, but llama.cpp cannot use it.`,
      advice:
        'Install the maker’s current driver (NVIDIA: 550 or newer; AMD and Intel: one with Vulkan), then start again.',
    };
  }
  return {
    name,
    status: 'ok',
    found: 'There is no GPU: models run on the CPU.',
    advice: 'Choose a model of up to 3 billion parameters; larger ones answer too slowly to earn much.',
  };
}

function describe({ name, backend, vramTotal, vramFree }: GpuInfo): string {
  const size = vramTotal === undefined ? '' : `, ${gib(vramTotal)}`;
  const free = vramFree === undefined ? '' : ` (${gib(vramFree)} free)`;
  return `${name} (${backend}${size}${free})`;
}
