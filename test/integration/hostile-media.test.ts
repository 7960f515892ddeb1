import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FfmpegTool } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { UnusableMedia } from '../../src-main/clips/media/media.ts';
import { type ProcessUsage, usageFromProc } from '../../src-main/process/child-limits.ts';
import { HOSTILE_MEDIA, makeHostileMedia } from '../support/fake-world/hostile-media.ts';

const programs = await findMediaTool();
const skipped = 'lacks' in programs ? ': skipped, there is no ffmpeg' : '';
const { signal } = new AbortController();
/** Of one call, all of its processes together; the bounds are several times as high. */
const [MOST_CPU_SECONDS, MOST_MEMORY_MIB] = [15, 400];

/** What children used, looked at every 10 ms: the system itself keeps each one’s peak. */
class Usage {
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #cpu = new Map<number, number>();
  peakMiB = 0;

  readonly measure = async (pid: number): Promise<ProcessUsage> => {
    if (!this.#timers.has(pid))
      this.#timers.set(
        pid,
        setInterval(() => this.#look(pid), 10),
      );
    return this.#look(pid);
  };

  get cpuSeconds(): number {
    return [...this.#cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearInterval(timer);
    this.#timers.clear();
    this.#cpu.clear();
    this.peakMiB = 0;
  }

  #look(pid: number): ProcessUsage {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const usage = usageFromProc(readFileSync(`/proc/${pid}/stat`, 'utf8'), status);
      this.peakMiB = Math.max(this.peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      this.#cpu.set(pid, usage.cpuSeconds ?? 0);
      return usage;
    } catch {
      clearInterval(this.#timers.get(pid));
      return {}; // it is gone
    }
  }
}

describe.skipIf(skipped !== '' || process.platform !== 'linux')(
  `files that were made to harm${skipped}`,
  { tags: ['long'] },
  () => {
    const usage = new Usage();
    let folder: string;
    let tool: FfmpegTool;

    beforeAll(async () => {
      if ('lacks' in programs) return;
      tool = new FfmpegTool({ programs, measure: usage.measure });
      folder = await mkdtemp(join(tmpdir(), 'quarry-hostile-'));
      await makeHostileMedia(folder);
    });
    afterEach(() => usage.clear());
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** All that is ever asked of a video, in the order in which a miner asks. */
    const calls = (path: string): Record<string, () => Promise<unknown>> => ({
      probe: () => tool.probe(path, { signal }),
      scenes: () => tool.scenes(path, { from: 0, to: 300 }, { signal }),
      pictures: () => tool.pictures(path, { from: 0, to: 60 }, { count: 8, side: 448, signal }),
      sound: () => tool.sound(path, { from: 0, to: 60 }, { rate: 48_000, signal }),
      cut: () => tool.cut(path, { from: 0, to: 60 }, join(folder, 'cut'), { signal }),
      jpeg: () => tool.jpeg(path, 2, { side: 448, signal }),
    });

    it.each(HOSTILE_MEDIA)('ends in a verdict, in bounded time and memory: $name', async ({ name, verdict }) => {
      const path = join(folder, name);
      const faults: string[] = [];
      for (const call of Object.values(calls(path))) {
        await call().catch((error: unknown) => {
          expect(error).toBeInstanceOf(UnusableMedia);
          const { fault, cause } = error as UnusableMedia;
          expect(`${cause}`).not.toContain('root:');
          faults.push(fault);
        });
        expect(usage.cpuSeconds).toBeLessThan(MOST_CPU_SECONDS);
        expect(usage.peakMiB).toBeLessThan(MOST_MEMORY_MIB);
        usage.clear();
      }
      expect(faults[0] ?? 'fine').toBe(verdict);
      expect((await readdir(folder)).filter((file) => file.endsWith('.part'))).toEqual([]);
    });

    it('ends what computes too long, and what takes too much memory', async () => {
      if ('lacks' in programs) return;
      const path = join(folder, 'million-pictures-a-second.mp4');
      const busy = new FfmpegTool({ programs, measure: async () => ({ cpuSeconds: 1_000 }) });
      await expect(busy.scenes(path, { from: 0, to: 10 }, { signal })).rejects.toMatchObject({ fault: 'tooSlow' });
      const large = new FfmpegTool({ programs, measure: async () => ({ memoryMiB: 10_000 }) });
      await expect(large.scenes(path, { from: 0, to: 10 }, { signal })).rejects.toMatchObject({ fault: 'tooLarge' });
      const wordy = new FfmpegTool({ programs, bounds: { outputBytes: 100_000 } });
      await expect(wordy.probe(path, { signal })).rejects.toMatchObject({ fault: 'tooLarge' });
    });
  },
);
