import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../../src-preload/contract/saying.ts';
import { entryModule, installedPath } from '../../../base/installation.ts';
import { CheckedChild } from '../../../process/checked-child.ts';
import { nodeSpawner, type ProcessSpawner, type Walls } from '../../../process/process-spawner.ts';
import { type KernelReport, type KernelTask, kernelReportSchema } from './kernel-messages.ts';
import { died, late, refusalOf } from './refusal.ts';
import type { KernelRefusal, KernelSpeed } from './verdict.ts';

const ENTRY = entryModule('subnets/quasar/kernels/kernel-child');
/** The process reads its own modules, and those that they import. */
const READS = [
  dirname(fileURLToPath(ENTRY)),
  ...['process', 'validation', 'base'].map((room) => installedPath('src-main', room)),
];
/** JavaScript’s heap; resident memory, two kernels’ of 256 MiB each included, which is looked at once a second. */
const LIMITS = { heapMiB: 256, memoryMiB: 1_024 };
/** What the system counts as data are also two memories that their modules have from the start, and all that Node sets aside. */
const WALLS: Walls = { reads: READS, webAssemblyMiB: 256, dataMiB: 2_048 };
/** It has so long to start, and to show with the baseline that it works. */
const START_MS = 60_000;

/** What comes of a kernel that is not refused. */
export type Passed = KernelSpeed | { right: true; cases: number; worstError: number };

export interface JudgeProcessOptions {
  task: KernelTask;
  spawner?: ProcessSpawner | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
  lateMs: number;
  deadlineMs: number;
}

/**
 * Judges a kernel in a process of its own, which is gone when this returns. As long as the kernel has not begun, whatever happens is our own fault.
 *
 * @throws INTERNAL where the judge itself does not work; the signal’s reason
 */
export async function judgeInProcess(options: JudgeProcessOptions): Promise<KernelRefusal | Passed> {
  const { task, spawner = nodeSpawner, signal, onProgress, lateMs, deadlineMs } = options;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<KernelRefusal | Passed>();
  let hasBegun = false;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, what: () => void) => {
    const timer = setTimeout(what, ms);
    timers.add(timer);
    return timer;
  };
  let quiet = after(START_MS, () => reject(ours(say('kernels.ours.silent', { seconds: START_MS / 1_000 }))));
  const begin = () => {
    hasBegun = true;
    clearTimeout(quiet);
    quiet = after(lateMs, () => resolve(late(lateMs)));
    after(deadlineMs, () => resolve(late(deadlineMs)));
  };
  const child = new CheckedChild<KernelReport>({
    spawner,
    launch: {
      ...{ name: 'the judge of kernels', run: ENTRY, env: {}, limits: LIMITS },
      // Electron’s processes have no walls; what runs there is WebAssembly without imports all the same.
      ...(spawner === nodeSpawner && { walls: WALLS }),
    },
    messages: kernelReportSchema,
    onMessage: (report) => {
      quiet.refresh();
      if ('begun' in report) begin();
      else if ('done' in report) onProgress?.(report.done);
      else if ('ours' in report) reject(ours(say('kernels.ours.baseline', { reason: refusalOf(report.ours).reason })));
      else if ('found' in report) resolve(refusalOf(report.found));
      else resolve('checked' in report ? { right: true, ...report.checked } : report.measured);
    },
    onDeath: (reason: Words) => (hasBegun ? resolve(died(reason)) : reject(ours(say('kernels.ours.died', { reason })))),
  });
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  child.send(task);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
    await child.close();
  }
}

export const isOurs = (error: unknown): boolean =>
  error instanceof QuarryError && error.said?.message?.key === 'kernels.ours';

/** A fault of the judge, which says nothing about a kernel. */
export const ours = (reason: Saying) => new QuarryError({ code: 'INTERNAL', message: say('kernels.ours', { reason }) });
