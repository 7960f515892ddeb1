import { ignoring } from '../base/swallowed.ts';
import type { GpuDevice } from '../inference/backend.ts';
import type { Reading } from './reading.ts';
import type { GpuInfo } from './report.ts';
import type { GraphicsCard, SystemInformation } from './system-information.ts';

/** Asks llama.cpp, in a process that may die of it. */
export type EngineGpus = () => Promise<GpuDevice[]>;

const MIB = 1024 ** 2;

/**
 * Which GPUs there are.
 *
 * The engine's own list comes first: it is right about integrated and AMD memory where the OS is not, and it tells
 * what can be used. When it has nothing to say, the cards that the OS knows are listed without a backend.
 */
export async function readGpus(system: SystemInformation, engineGpus?: EngineGpus): Promise<Reading<GpuInfo[]>> {
  const usable = await engineGpus?.().catch(ignoring('the system’s list does instead'));
  if (usable?.length) {
    return { value: usable.map((gpu) => ({ ...gpu, source: 'llama.cpp' })), source: 'llama.cpp' };
  }
  const { controllers } = await system.graphics();
  return { value: controllers.map(describeCard), source: 'systeminformation' };
}

function describeCard(card: GraphicsCard): GpuInfo {
  return {
    name: card.model || card.vendor || 'unknown',
    vramTotal: mib(card.memoryTotal ?? card.vram),
    vramFree: mib(card.memoryFree),
    source: 'systeminformation',
  };
}

function mib(amount: number | null | undefined): number | undefined {
  return amount ? amount * MIB : undefined;
}
