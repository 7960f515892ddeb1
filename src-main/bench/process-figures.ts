import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What {@link WholeNode} is told of its process. */
export interface ProcessFigures {
  /** Bytes of the JavaScript heap, once the garbage is collected. */
  heap: number;
  /** Bytes that are resident. */
  resident: number;
  /** Bytes that V8 holds for its heap, used or not: it grows with the pace of the work, not with what is kept. */
  reserved: number;
  /** Milliseconds by which timers were late since the last time, p99, without what collecting took. */
  lateP99: number;
  /** The same, at most. */
  lateMax: number;
}

const NANOSECONDS = 1e6;
const RESOLUTION_MS = 5;

// Loaded before the program that is measured (`node --expose-gc --import`), which knows nothing of it.
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS);

process.on('message', (message) => {
  if (message !== 'figures') return;
  delays.disable();
  const [lateP99, lateMax] = [late(delays.percentile(99)), late(delays.max)];
  globalThis.gc?.();
  const { heapUsed: heap, heapTotal: reserved, rss: resident } = process.memoryUsage();
  process.send?.({ heap, resident, reserved, lateP99, lateMax } satisfies ProcessFigures);
  delays.reset();
  delays.enable();
});
// A bench that was killed leaves no node behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
delays.enable();
process.channel?.unref();
