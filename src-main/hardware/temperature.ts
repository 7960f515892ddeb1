import { say, told } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';
import type { Reading } from './reading.ts';
import type { TemperatureInfo } from './report.ts';
import type { SystemInformation } from './system-information.ts';

/** The hottest CPU and GPU sensors that can be read without administrator rights. */
export async function readTemperature(system: SystemInformation): Promise<Reading<TemperatureInfo>> {
  const [cpu, gpu] = await Promise.all([cpuTemperature(system), gpuTemperature(system)]);
  if (cpu === undefined && gpu === undefined) {
    return told({ reason: say('hardware.noSensor') });
  }
  return { value: { cpu, gpu }, source: 'systeminformation' };
}

async function cpuTemperature(system: SystemInformation): Promise<number | undefined> {
  const found = await system.cpuTemperature().catch(ignoring('this machine does not tell'));
  return hottest([found?.main, found?.max]);
}

async function gpuTemperature(system: SystemInformation): Promise<number | undefined> {
  const found = await system.graphics().catch(ignoring('this machine does not tell'));
  return hottest((found?.controllers ?? []).map((card) => card.temperatureGpu));
}

/** Sensors that are missing report null, 0 or −1. */
function hottest(sensors: (number | null | undefined)[]): number | undefined {
  const real = sensors.filter((degrees) => Number.isFinite(degrees) && Number(degrees) > 0).map(Number);
  return real.length > 0 ? Math.max(...real) : undefined;
}
