import type { Said } from '../../src-preload/contract/saying.ts';
import type { Known, Reading, Source, Unknown } from './reading.ts';

/** What this computer is made of. Sizes are bytes; whatever could not be read says why. */
export interface HardwareReport {
  /** Unix milliseconds. */
  takenAt: number;
  os: Reading<OsInfo>;
  cpu: Reading<CpuInfo>;
  memory: Reading<MemoryInfo>;
  gpus: GpuReading;
  disk: Reading<DiskInfo>;
  battery: Reading<BatteryInfo>;
  temperature: Reading<TemperatureInfo>;
}

export interface OsInfo {
  /** As in `process.platform`: 'linux', 'darwin' or 'win32'. */
  platform: string;
  /** For a person, as in «Debian GNU/Linux 12». */
  name: string;
  arch: string;
}

export interface CpuInfo {
  model: string;
  logicalCores: number;
  physicalCores?: number;
  /** Base clock in GHz; virtual machines often hide it. */
  speedGHz?: number;
}

export interface MemoryInfo {
  total: number;
  /** What a new program could use without swapping: free memory plus caches that the OS would give up. */
  available: number;
}

export interface GpuInfo {
  name: string;
  /** 'cuda', 'vulkan' or 'metal' when the engine can use it; absent when it cannot. */
  backend?: string;
  vramTotal?: number;
  vramFree?: number;
  /** Names of the several, in the order of their numbers; absent where it is one. */
  devices?: string[];
  /** Degrees Celsius. */
  temperature?: number;
  /** What it draws now. */
  watts?: number;
  source: Source;
}

/** Something that is listed as a GPU and counts as none. */
export interface LeftOutGpu {
  name: string;
  /** One sentence for a person. */
  reason: string;
  said?: Said | undefined;
}

/** The GPUs, and what was left out of the list; absent where nothing was. */
export type GpuReading = (Known<GpuInfo[]> | Unknown) & { leftOut?: LeftOutGpu[] };

export interface DiskInfo {
  /** The folder that was looked at: the data folder, or its nearest parent that exists. */
  path: string;
  total: number;
  free: number;
}

export interface BatteryInfo {
  present: boolean;
  charging: boolean;
  /** The computer runs from its battery now. */
  onBattery: boolean;
  percent?: number;
}

/** Degrees Celsius; the hottest sensor of each. */
export interface TemperatureInfo {
  cpu?: number;
  gpu?: number;
}
