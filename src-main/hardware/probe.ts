import { type EngineGpus, readGpus } from './gpus.ts';
import { bounded, read } from './reading.ts';
import { readBattery, readCpu, readDisk, readMemory, readOs, readTemperature } from './readings.ts';
import type { HardwareReport } from './report.ts';
import { type SystemInformation, systemInformation } from './system-information.ts';

export interface ProbeOptions {
  /** Its drive is the one that is measured. */
  dataDir: string;
  /** What llama.cpp can use; without it the OS is asked. */
  engineGpus?: EngineGpus;
  /** Milliseconds that each probe may take. Default 15,000: drivers and PowerShell are slow to start. */
  timeoutMs?: number;
  now?: () => number;
  system?: SystemInformation;
}

/** Looks at the whole computer, everything at once. Never throws: what cannot be read says why. */
export async function probeHardware(options: ProbeOptions): Promise<HardwareReport> {
  const { dataDir, engineGpus, timeoutMs = 15_000, now = Date.now } = options;
  const system = askGraphicsOnce(options.system ?? systemInformation);
  const [os, cpu, memory, gpus, disk, battery, temperature] = await Promise.all([
    read(timeoutMs, () => readOs(system)),
    read(timeoutMs, () => readCpu(system)),
    read(timeoutMs, () => readMemory(system)),
    read(timeoutMs, () => readGpus(system, engineGpus && (() => bounded(engineGpus(), (timeoutMs * 2) / 3)))),
    read(timeoutMs, async () => ({ value: await readDisk(dataDir), source: 'node' as const })),
    read(timeoutMs, () => readBattery(system)),
    read(timeoutMs, () => readTemperature(system)),
  ]);
  return { takenAt: now(), os, cpu, memory, gpus, disk, battery, temperature };
}

/** GPUs and temperatures both come from the graphics probe, the slowest of all: it runs once. */
function askGraphicsOnce(system: SystemInformation): SystemInformation {
  let graphics: ReturnType<SystemInformation['graphics']> | undefined;
  return { ...system, graphics: () => (graphics ??= system.graphics()) };
}
