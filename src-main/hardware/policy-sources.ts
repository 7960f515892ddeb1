import { say, told } from '../../src-preload/contract/saying.ts';
import type { OtherGpuUse } from './policy.ts';
import type { Reading } from './reading.ts';
import { readBattery, readTemperature } from './readings.ts';
import type { BatteryInfo } from './report.ts';
import { type SystemInformation, systemInformation } from './system-information.ts';

/** Where the load policy looks. The desktop app puts Electron's power monitor in place of the first two. */
export interface PolicySources {
  battery: () => Promise<Reading<BatteryInfo>>;
  /** Seconds since somebody last touched keyboard or mouse. */
  userIdleSeconds: () => Promise<Reading<number>>;
  otherGpu: () => Promise<Reading<OtherGpuUse>>;
  /** Degrees Celsius of the hottest part. */
  temperature: () => Promise<Reading<number>>;
}

/** What plain Node can see. It cannot see keyboard and mouse, and does not pretend to. */
export function nodePolicySources(
  otherGpu: PolicySources['otherGpu'],
  system: SystemInformation = systemInformation,
  now: () => number = performance.now.bind(performance),
): PolicySources {
  return {
    battery: batterySource(system),
    userIdleSeconds: async () => told({ reason: say('hardware.desktopOnly') }),
    otherGpu,
    temperature: temperatureSource(system, now),
  };
}

/** A computer without a battery is asked once: it will not grow one, and on Windows every question is a program start. */
function batterySource(system: SystemInformation): PolicySources['battery'] {
  let none: Reading<BatteryInfo> | undefined;
  return async () => {
    if (none) return none;
    const reading = await readBattery(system);
    if (reading.value?.present === false) none = reading;
    return reading;
  };
}

/** Milliseconds until a computer without a sensor that can be read is asked for one again. */
const NO_SENSOR_MS = 600_000;

/** Each question starts programs, and the node stands still while they start: without a sensor, that is not worth it every time. */
function temperatureSource(system: SystemInformation, now: () => number): PolicySources['temperature'] {
  let none: { reading: Reading<number>; until: number } | undefined;
  return async () => {
    if (none && now() < none.until) return none.reading;
    const reading = await hottestPart(system);
    none = reading.value === undefined ? { reading, until: now() + NO_SENSOR_MS } : undefined;
    return reading;
  };
}

async function hottestPart(system: SystemInformation): Promise<Reading<number>> {
  const reading = await readTemperature(system);
  if (reading.value === undefined) return reading;
  return { value: Math.max(reading.value.cpu ?? 0, reading.value.gpu ?? 0), source: reading.source };
}
