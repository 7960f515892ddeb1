import { readFile } from 'node:fs/promises';
import { type CpuInfo, cpus } from 'node:os';
import { ignoring } from '../base/swallowed.ts';

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
