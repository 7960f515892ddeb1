import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { say, type Words } from '../../src-preload/contract/saying.ts';

/**
 * What a child may use. Memory and processor time are looked at once a second, of the child's own process and not of those
 * it starts: a bound against accidents and greed, not a wall against an attacker. Linux and macOS tell both figures,
 * Windows only the memory.
 */
export interface ChildLimits {
  /** V8's heap. Beyond it a module of ours ends by itself. Of programs nothing is asked. */
  heapMiB?: number;
  /** V8's halves for new objects: the smaller, the sooner the memory of buffers that are done with comes back. Default: V8's own. */
  youngMiB?: number;
  /** Resident memory. */
  memoryMiB?: number;
  /** Processor time over the child's life, of all its threads together. */
  cpuSeconds?: number;
  /** From -20 (before others) to 19 (after all others), as for `os.setPriority`; Windows knows six steps of it. */
  priority?: number;
  /** What may wait for the child to read it; beyond that nothing more can be sent. Default 64. Electron does not tell it. */
  unreadMiB?: number;
  /** For so long the child may read nothing while something waits: then it hangs. Default 60. */
  unreadSeconds?: number;
}

/** What a process uses. A figure is undefined where the system does not tell it. */
export interface ProcessUsage {
  memoryMiB?: number | undefined;
  cpuSeconds?: number | undefined;
}

export interface LimitWatchOptions {
  limits: ChildLimits;
  /** Undefined as long as the child has not started. */
  pid: () => number | undefined;
  /** Called once, with the rest of a sentence that begins with the child's name. */
  onExceeded: (reason: Words) => void;
  log: Logger | undefined;
  /** Default: {@link processUsage}. */
  measure?: (pid: number) => Promise<ProcessUsage>;
  /** Milliseconds between two looks. Default 1,000. */
  everyMs?: number;
}

/** Holds a child to its limits, from now to {@link close}. */
export class LimitWatch {
  readonly #options: LimitWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #priorityGiven = false;
  /** Looks that told less than there are limits. */
  #silences = 0;

  constructor(options: LimitWatchOptions) {
    this.#options = options;
    void this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { pid, measure = processUsage, everyMs = 1_000 } = this.#options;
    const id = pid();
    if (id !== undefined) {
      this.#givePriority(id);
      if (this.#watchesUse) this.#judge(await measure(id));
    }
    const done = this.#priorityGiven && !this.#watchesUse;
    if (!this.#closed && !done) this.#timer = setTimeout(() => void this.#look(), everyMs);
  }

  get #watchesUse(): boolean {
    const { memoryMiB, cpuSeconds } = this.#options.limits;
    return memoryMiB !== undefined || cpuSeconds !== undefined;
  }

  #givePriority(pid: number): void {
    const { limits, log } = this.#options;
    if (this.#priorityGiven) return;
    this.#priorityGiven = true;
    if (limits.priority === undefined) return;
    try {
      setPriority(pid, limits.priority);
    } catch (error) {
      log?.warn({ err: error, pid, priority: limits.priority }, 'a child keeps its priority');
    }
  }

  #judge(usage: ProcessUsage): void {
    if (this.#closed) return;
    const { limits, onExceeded } = this.#options;
    const reason =
      tooMuch(bytesOf(usage.memoryMiB), bytesOf(limits.memoryMiB), 'child.memory') ??
      tooMuch(usage.cpuSeconds, limits.cpuSeconds, 'child.time');
    if (reason) {
      this.close();
      onExceeded(reason);
    } else this.#warnOfSilence(usage);
  }

  /** Once: a limit that nobody holds is worth knowing. Not at the first time, for a child that just died is silent too. */
  #warnOfSilence({ memoryMiB, cpuSeconds }: ProcessUsage): void {
    const { limits, log } = this.#options;
    const memory = limits.memoryMiB !== undefined && memoryMiB === undefined;
    const cpu = limits.cpuSeconds !== undefined && cpuSeconds === undefined;
    if (!memory && !cpu) return;
    this.#silences++;
    if (this.#silences === 2)
      log?.warn({ memory, cpu }, 'the system does not tell what a child uses, so its limit is not held');
  }
}

const bytesOf = (mib: number | undefined) => (mib === undefined ? undefined : mib * 1_048_576);

function tooMuch(
  used: number | undefined,
  allowed: number | undefined,
  key: 'child.memory' | 'child.time',
): Words | undefined {
  if (used === undefined || allowed === undefined || used <= allowed) return undefined;
  return say(key, { used: Math.ceil(used), allowed });
}

const run = promisify(execFile);
const MAX_MS = 5_000;

/** Of one process, as the system tells it. Never throws: of a process that is gone nothing is known. */
export async function processUsage(pid: number, platform: NodeJS.Platform = process.platform): Promise<ProcessUsage> {
  try {
    if (platform === 'linux') return usageFromProc(await readFile(`/proc/${pid}/stat`, 'utf8'), await statusOf(pid));
    if (platform === 'win32')
      return usageFromTasklist(await output('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']));
    return usageFromPs(await output('ps', ['-o', 'rss=,time=', '-p', String(pid)]));
  } catch {
    return {}; // it is gone, or the system does not say
  }
}

function statusOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8');
}

async function output(program: string, args: string[]): Promise<string> {
  return (await run(program, args, { timeout: MAX_MS, windowsHide: true })).stdout;
}

/** Linux counts in hundredths of a second for programs, whatever its own clock does. */
const TICKS = 100;

/** @param stat of /proc/PID; the name in it, in brackets, may hold anything @param status of the same folder */
export function usageFromProc(stat: string, status: string): ProcessUsage {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return {
    memoryMiB: kib === undefined ? undefined : Number(kib) / 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
  };
}

/** @param line KiB and [[days-]hours:]minutes:seconds[.hundredths], as `ps` writes them on macOS and elsewhere */
export function usageFromPs(line: string): ProcessUsage {
  const match = /^\s*(\d+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s*$/.exec(line);
  if (!match) return {};
  const [, kib, days = 0, hours = 0, minutes, seconds] = match;
  return {
    memoryMiB: Number(kib) / 1024,
    cpuSeconds: ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds),
  };
}

/** @param line of Windows's tasklist as CSV: the fifth field is «12,345 K», its digits grouped as the country does */
export function usageFromTasklist(line: string): ProcessUsage {
  const digits = line.trim().split('","')[4]?.replaceAll(/\D/g, '');
  return { memoryMiB: digits ? Number(digits) / 1024 : undefined };
}
