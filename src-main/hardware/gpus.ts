import { say, told } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';
import type { GpuDevice } from '../inference/backend.ts';
import { isSoftwareGpu, realGpus } from '../inference/software-gpu.ts';
import { bounded } from './reading.ts';
import type { GpuInfo, GpuReading, LeftOutGpu } from './report.ts';
import type { GraphicsCard, SystemInformation } from './system-information.ts';

/** Asks llama.cpp, in a process that may die of it. */
export type EngineGpus = () => Promise<GpuDevice[]>;

const MIB = 1024 ** 2;
/** Milliseconds that the system may take to name the sensors of cards that are known already. */
const SENSORS_MS = 4_000;

/**
 * Which GPUs there are.
 *
 * The engine's own list comes first: it is right about integrated and AMD memory where the OS is not, and it tells
 * what can be used. When it has nothing to say, the cards that the OS knows are listed without a backend. What is a program and no
 * card is left out, and named.
 */
export async function readGpus(system: SystemInformation, engineGpus?: EngineGpus): Promise<GpuReading> {
  const seen = (await engineGpus?.().catch(ignoring('the system’s list does instead'))) ?? [];
  const software = seen.filter((gpu) => gpu.software);
  const usable = realGpus(seen);
  if (usable.length > 0) {
    const cards = await sensors(system);
    const value = usable.map((gpu) => ({ ...gpu, ...sensed(gpu.name, cards), source: 'llama.cpp' as const }));
    return { value, source: 'llama.cpp', ...leftOut(software) };
  }
  const cards = (await system.graphics()).controllers.map(describeCard);
  const isProgram = ({ name }: GpuInfo) => isSoftwareGpu({ name });
  const value = cards.filter((card) => !isProgram(card));
  return { value, source: 'systeminformation', ...leftOut([...software, ...cards.filter(isProgram)]) };
}

/** The cards as the system knows them, for their sensors alone: without them the list is as good. */
async function sensors(system: SystemInformation): Promise<GraphicsCard[]> {
  const asked = await bounded(system.graphics(), SENSORS_MS).catch(ignoring('its sensors stay unknown'));
  return asked?.controllers ?? [];
}

function sensed(name: string, cards: readonly GraphicsCard[]): Pick<GpuInfo, 'temperature' | 'watts'> {
  const card = cards.find(({ model }) => model && (name.includes(model) || model.includes(name)));
  const { temperatureGpu: temperature, powerDraw: watts } = card ?? {};
  return { ...(temperature && { temperature }), ...(watts && { watts }) };
}

function leftOut(software: readonly { name: string }[]): { leftOut?: LeftOutGpu[] } {
  if (software.length === 0) return {};
  const names = new Set(software.map(({ name }) => name));
  return { leftOut: [...names].map((name) => ({ name, ...told({ reason: say('hardware.softwareGpu') }) })) };
}

function describeCard(card: GraphicsCard): GpuInfo {
  return {
    name: card.model || card.vendor || 'unknown',
    vramTotal: mib(card.memoryTotal ?? card.vram),
    vramFree: mib(card.memoryFree),
    ...sensed(card.model, [card]),
    source: 'systeminformation',
  };
}

function mib(amount: number | null | undefined): number | undefined {
  return amount ? amount * MIB : undefined;
}
