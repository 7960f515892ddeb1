import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { say, told } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';
import type { Reading, Source } from './reading.ts';
import type { BatteryInfo, CpuInfo, DiskInfo, MemoryInfo, OsInfo, TemperatureInfo } from './report.ts';
import type { SystemInformation } from './system-information.ts';

/** Model, cores and clock. Node knows all but the physical cores; without systeminformation those are missing. */
export async function readCpu(system: SystemInformation): Promise<Reading<CpuInfo>> {
  const [first] = cpus();
  const logicalCores = availableParallelism();
  const clock = (first?.speed ?? 0) / 1_000;
  const more = await system.cpu().catch(ignoring('physical cores stay unknown'));
  return {
    value: {
      model: first?.model.trim() || [more?.manufacturer, more?.brand].filter(Boolean).join(' ') || 'unknown',
      logicalCores,
      // In a container that may use fewer cores than the machine has, the machine's count would mislead.
      physicalCores: more?.physicalCores ? Math.min(more.physicalCores, logicalCores) : undefined,
      speedGHz: more?.speed || clock || undefined,
    },
    source: more ? 'systeminformation' : 'node',
  };
}

/** Whether the processor has Intel’s AMX, for which llama.cpp packs weights anew. Only Linux says. */
export async function hasAmx(cpuInfo = '/proc/cpuinfo'): Promise<boolean> {
  const text = await readFile(cpuInfo, 'utf8').catch(ignoring('other systems have no such file'));
  return /^flags\s*:.*\bamx_int8\b/m.test(text ?? '');
}

/** The operating system, by the name a person knows. */
export async function readOs(system: SystemInformation): Promise<Reading<OsInfo>> {
  const { distro, release, arch } = await system.osInfo();
  return { value: { platform: platform(), name: `${distro} ${release}`.trim(), arch }, source: 'systeminformation' };
}

/**
 * Memory that a new program could use. Linux counts caches as available (MemAvailable, or the container's limit) and
 * so does Windows; on macOS libuv reports free pages only, which are always few, so vm_stat is asked there.
 */
export async function readMemory(
  system: SystemInformation,
  platform: NodeJS.Platform = process.platform,
): Promise<{ value: MemoryInfo; source: Source }> {
  const total = memoryTotal();
  if (platform !== 'darwin') return { value: { total, available: process.availableMemory() }, source: 'node' };
  const { available } = await system.mem();
  return { value: { total, available: Math.min(available, total) }, source: 'systeminformation' };
}

/** The machine's memory, or the container's share of it. */
function memoryTotal(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Space on the drive that holds `folder`, which need not exist yet: its nearest parent that does is asked. */
export async function readDisk(folder: string): Promise<DiskInfo> {
  const path = resolve(folder);
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    return { path, total: bsize * blocks, free: bsize * bavail };
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return await readDisk(parent);
  }
}

/** The battery, if there is one. A computer without one is never «on battery». */
export async function readBattery(system: SystemInformation): Promise<Reading<BatteryInfo>> {
  const battery = await system.battery();
  const present = battery.hasBattery;
  return {
    value: {
      present,
      charging: present && battery.isCharging,
      // Some drivers forget to report the mains while they charge.
      onBattery: present && !battery.acConnected && !battery.isCharging,
      percent: present && battery.percent !== null ? battery.percent : undefined,
    },
    source: 'systeminformation',
  };
}

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
