import { readFile } from 'node:fs/promises';
import { availableParallelism, type CpuInfo, cpus } from 'node:os';
import { ignoring } from '../base/swallowed.ts';
import { readMemory } from './readings.ts';
import { type SystemInformation, systemInformation } from './system-information.ts';

/** What the engines may use and whether one is at work. */
export interface EngineLoad {
  /** CPU threads that it was given. */
  threads: number;
  /** It decodes now. */
  active: boolean;
  /** Its processes. Default: none, as when it runs elsewhere. */
  pids?: readonly number[];
}

/** Counters at one moment; two of them make a {@link Usage}. */
export interface Sample {
  /** Milliseconds of any steady clock. */
  at: number;
  cores: number;
  busyMs: number;
  totalMs: number;
  /** CPU time of this process and of the engine; undefined where the OS does not tell. */
  ownMs: number | undefined;
  engine: EngineLoad;
  memoryAvailable: number;
  memoryTotal: number;
}

export type Sampler = () => Promise<Sample>;

export function createSampler(
  engine: () => EngineLoad,
  system: SystemInformation = systemInformation,
  clock: () => number = () => performance.now(),
): Sampler {
  return async () => {
    const load = engine();
    const { value: memory } = await readMemory(system);
    const ownMs = await ownCpuMs(load.pids);
    return {
      at: clock(),
      cores: availableParallelism(),
      ...cpuTime(),
      ownMs,
      engine: load,
      memoryAvailable: memory.available,
      memoryTotal: memory.total,
    };
  };
}

async function ownCpuMs(enginePids: readonly number[] = []): Promise<number | undefined> {
  const { user, system } = process.cpuUsage();
  const each = await Promise.all(enginePids.map((pid) => processCpuMs(pid)));
  return each.reduce(
    (sum, ms) => (sum === undefined || ms === undefined ? undefined : sum + ms),
    (user + system) / 1_000,
  );
}

/** Who used the CPU between two samples. Shares of the whole machine, 0–1. */
export interface Usage {
  busy: number;
  /** Used by Quarry, up to the share that its engine was given. */
  own: number;
  ownSource: 'measured' | 'estimated';
  /** Everything else: other programs, and what Quarry takes beyond its share. */
  others: number;
  /** How much of the engine's share is in use. */
  engine: number;
}

/** @returns undefined when no CPU time passed between the two (suspended, or a counter that went back) */
export function usageBetween(before: Sample, after: Sample): Usage | undefined {
  const elapsed = after.totalMs - before.totalMs;
  if (elapsed <= 0) return undefined;
  const busy = clamp((after.busyMs - before.busyMs) / elapsed);
  const share = clamp(Math.max(1, after.engine.threads) / after.cores);
  const measured = ownShare(before, after, elapsed);
  // llama.cpp waits by spinning: while it decodes, its threads are busy. That is the best guess where nobody measures.
  const own = Math.min(measured ?? (after.engine.active ? share : 0), share, busy);
  return {
    busy,
    own,
    ownSource: measured === undefined ? 'estimated' : 'measured',
    others: busy - own,
    engine: own / share,
  };
}

function ownShare(before: Sample, after: Sample, elapsed: number): number | undefined {
  if (before.ownMs === undefined || after.ownMs === undefined) return undefined;
  const used = after.ownMs - before.ownMs;
  // A restarted engine counts from zero again.
  return used < 0 ? undefined : used / elapsed;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** CPU time since boot, summed over all logical cores, in milliseconds. */
export interface CpuTime {
  busyMs: number;
  totalMs: number;
}

/** Only the difference of two of these says something about now. */
export function cpuTime(cores: CpuInfo[] = cpus()): CpuTime {
  let busyMs = 0;
  let idleMs = 0;
  for (const { times } of cores) {
    busyMs += times.user + times.nice + times.sys + times.irq;
    idleMs += times.idle;
  }
  return { busyMs, totalMs: busyMs + idleMs };
}

/** Linux counts the CPU time of processes in hundredths of a second on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/**
 * CPU time that another process has used so far, in milliseconds. Only Linux tells it without starting a program, so
 * elsewhere (and when the process is gone) it is undefined.
 */
export async function processCpuMs(pid: number, platform = process.platform): Promise<number | undefined> {
  if (platform !== 'linux') return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(ignoring('the process is gone'));
  return stat === undefined ? undefined : parseProcStat(stat);
}

/** User plus system time from a line of /proc/PID/stat, in milliseconds. */
export function parseProcStat(stat: string): number | undefined {
  // The program's name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * MS_PER_TICK : undefined;
}
