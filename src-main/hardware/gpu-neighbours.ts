import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { realGpus } from '../inference/software-gpu.ts';
import type { EngineGpus } from './gpus.ts';
import type { OtherGpuUse } from './policy.ts';
import type { Reading } from './reading.ts';

/** A program that computes on an NVIDIA GPU. */
export interface GpuProcess {
  pid: number;
  name: string;
  /** Bytes; absent where the driver does not tell (Windows, containers). */
  vram?: number;
}

export interface GpuNeighboursOptions {
  engineGpus: EngineGpus;
  /** Programs on the GPU; empty where there is no such list. Default: nvidia-smi. */
  processes?: () => Promise<GpuProcess[]>;
  /** Quarry's own processes: they are no neighbours. */
  ownPids: () => number[];
}

const MIB = 1024 ** 2;

/**
 * Watches what other programs take of the GPU, in two ways, of which the larger figure counts: the list of programs
 * that the driver keeps (computing ones, NVIDIA only), and the drop of free memory since our model was loaded (any
 * GPU, games too).
 */
export class GpuNeighbours {
  readonly #options: GpuNeighboursOptions;
  #mostFree = 0;

  constructor(options: GpuNeighboursOptions) {
    this.#options = options;
  }

  /** Call when the engine has loaded or freed a model: free memory is compared with what it is from now on. */
  rebase(): void {
    this.#mostFree = 0;
  }

  async read(): Promise<Reading<OtherGpuUse>> {
    const { engineGpus, processes = nvidiaProcesses, ownPids } = this.#options;
    const gpus = realGpus(await engineGpus());
    if (gpus.length === 0) return { value: { vram: 0, programs: [] }, source: 'llama.cpp' };
    const own = new Set(ownPids());
    const others = (await processes()).filter(({ pid }) => !own.has(pid));
    const dropped = this.#drop(gpus.reduce((sum, { vramFree }) => sum + vramFree, 0));
    const listed = others.reduce((sum, { vram = 0 }) => sum + vram, 0);
    return {
      value: { vram: Math.max(dropped, listed), programs: others.map(({ name }) => name) },
      source: listed > dropped ? 'nvidia-smi' : 'llama.cpp',
    };
  }

  #drop(free: number): number {
    this.#mostFree = Math.max(this.#mostFree, free);
    return this.#mostFree - free;
  }
}

const run = promisify(execFile);
const QUERY = ['--query-compute-apps=pid,used_memory,process_name', '--format=csv,noheader,nounits'];

/** Asks NVIDIA's own tool; a computer without it has no such list. */
async function nvidiaProcesses(): Promise<GpuProcess[]> {
  try {
    const { stdout } = await run('nvidia-smi', QUERY, { timeout: 3_000, windowsHide: true, maxBuffer: 1 << 20 });
    return parseNvidiaProcesses(stdout);
  } catch {
    return []; // what llama.cpp sees of the memory has to do
  }
}

/** Lines of «PID, MiB, path»; the path may hold commas, and MiB may be «[N/A]». */
export function parseNvidiaProcesses(output: string): GpuProcess[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, used, path] = /^\s*(\d+),\s*([^,]*),\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (!pid || used === undefined || !path) return [];
    const vram = /^\d+$/.test(used) ? Number(used) * MIB : undefined;
    return [{ pid: Number(pid), name: path.split(/[\\/]/).at(-1) ?? path, vram }];
  });
}
