import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, platform } from 'node:os';
import { ignoring } from '../base/swallowed.ts';
import type { Reading } from './reading.ts';
import type { CpuInfo, OsInfo } from './report.ts';
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
