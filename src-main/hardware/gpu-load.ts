import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a graphics card does now, as far as its driver tells. */
export interface GpuLoad {
  name: string;
  /** 0–1. */
  busy?: number | undefined;
  /** Bytes. */
  vramTotal?: number | undefined;
  vramUsed?: number | undefined;
  /** Degrees Celsius. */
  temperature?: number | undefined;
  watts?: number | undefined;
}

const MIB = 1024 ** 2;
const run = promisify(execFile);
const FIELDS = 'name,utilization.gpu,memory.total,memory.used,temperature.gpu,power.draw';
const QUERY = [`--query-gpu=${FIELDS}`, '--format=csv,noheader,nounits'];

/** Asks NVIDIA's own tool. @throws where there is none */
export async function nvidiaLoad(): Promise<GpuLoad[]> {
  const { stdout } = await run('nvidia-smi', QUERY, { timeout: 3_000, windowsHide: true, maxBuffer: 1 << 20 });
  return parseNvidiaLoad(stdout);
}

/** Lines of «name, percent, MiB, MiB, degrees, watts»; any figure may be «[N/A]». */
export function parseNvidiaLoad(output: string): GpuLoad[] {
  return output.split('\n').flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const [watts, temperature, used, total, percent] = cells.slice(-5).toReversed().map(figure);
    const name = cells.slice(0, -5).join(', ');
    if (!name) return [];
    const bytes = (mib: number | undefined) => (mib === undefined ? undefined : mib * MIB);
    const busy = percent === undefined ? undefined : Math.min(1, percent / 100);
    return [{ name, busy, vramTotal: bytes(total), vramUsed: bytes(used), temperature, watts }];
  });
}

function figure(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
