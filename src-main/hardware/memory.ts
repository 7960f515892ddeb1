import { totalmem } from 'node:os';
import type { Source } from './reading.ts';
import type { MemoryInfo } from './report.ts';
import type { SystemInformation } from './system-information.ts';

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
