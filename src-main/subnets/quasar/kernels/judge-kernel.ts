import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { hexPattern } from '../../../../src-preload/contract/limits.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ProcessSpawner } from '../../../process/process-spawner.ts';
import { baselineKernel } from './baseline.ts';
import { isOurs, judgeInProcess, ours, type Passed } from './judge-process.ts';
import { LEAST_TOKENS, MOST_TOKENS } from './limits.ts';
import { checkModule } from './module-check.ts';
import type { KernelCheck, KernelRefusal, KernelVerdict } from './verdict.ts';

export type { KernelCheck, KernelFault, KernelRefusal, KernelVerdict, SpeedRatio, WrongPlace } from './verdict.ts';

/** What {@link checkKernel} takes. */
export interface CheckOptions {
  /** The kernel that it is compared with; also what shows whether the judge itself works. Default: the one that comes with Quarry. */
  baseline?: Uint8Array | undefined;
  /** 64 hex: all that is drawn follows from it. Whoever hands in a kernel must not know it before. */
  seed: string;
  signal?: AbortSignal | undefined;
  /** Told how far it is, from 0 to 1, some times a second. */
  onProgress?: ((done: number) => void) | undefined;
  /** Default: a process of Node, walled in. */
  spawner?: ProcessSpawner | undefined;
  /** Milliseconds for which a kernel may be in one piece of work, without an end of it. Default 10,000. */
  lateMs?: number | undefined;
  /** Milliseconds that it may have for everything. Default 120,000. */
  deadlineMs?: number | undefined;
}

/** What {@link judgeKernel} takes. */
export interface JudgeOptions extends CheckOptions {
  baseline: Uint8Array;
  /** Of the run that is measured, 10,000 to 4,000,000. */
  tokens: number;
  /** Milliseconds after which measuring ends with as many pairs as there are. Default 20,000. */
  measureMs?: number | undefined;
}

/** Of what is tried before measuring: milliseconds in the kernel alone. */
const CALLS_MS = 20_000;
const SEED = hexPattern(32);
/** Seeds that are tried where a baseline fails, that is none of ours: which others they meet, nobody who made it could know. */
const MOST_SEEDS = 12;
const [LATE_MS, DEADLINE_MS, MEASURE_MS] = [10_000, 120_000, 20_000];

/**
 * Judges a kernel: whether it computes what it is to compute, and how fast it does beside the baseline. All that is drawn follows from the seed, so others
 * come to the same verdict on whether it is right; how fast it is differs from machine to machine.
 *
 * @throws BAD_REQUEST for a seed or a length that is none; INTERNAL where the judge itself does not work here, which says nothing about the kernel; the signal’s reason
 */
export async function judgeKernel(module: Uint8Array, options: JudgeOptions): Promise<KernelVerdict> {
  const { tokens } = options;
  if (!Number.isInteger(tokens) || tokens < LEAST_TOKENS || tokens > MOST_TOKENS)
    throw bad(say('kernels.tokens', { least: LEAST_TOKENS, most: MOST_TOKENS }), 'tokens');
  return (await judged(module, options, tokens)) as KernelVerdict;
}

/**
 * Only whether a kernel computes what it is to compute, and where it first does not.
 * @throws as {@link judgeKernel} does
 */
export async function checkKernel(module: Uint8Array, options: CheckOptions): Promise<KernelCheck> {
  return (await judged(module, options, null)) as KernelCheck;
}

async function judged(
  module: Uint8Array,
  options: CheckOptions & { measureMs?: number | undefined },
  tokens: number | null,
): Promise<KernelRefusal | Passed> {
  const { seed, signal, onProgress, spawner, lateMs = LATE_MS, deadlineMs = DEADLINE_MS } = options;
  if (!SEED.test(seed)) throw bad(say('kernels.seed'), 'seed');
  const refused = checkModule(module);
  if (refused) return refused;
  const shipped = await baselineKernel();
  const baseline = options.baseline ?? shipped;
  const { measureMs = MEASURE_MS } = options;
  const judgedWith = (drawn: string) => {
    const task = { baseline: base64(baseline), seed: drawn, tokens, measureMs, callsMs: CALLS_MS };
    const attempt = (kernel: Uint8Array) =>
      judgeInProcess({ task: { ...task, kernel: base64(kernel) }, spawner, signal, onProgress, lateMs, deadlineMs });
    return proven(module, baseline, attempt);
  };
  return await withSeeds(seed, Buffer.compare(baseline, shipped) === 0 ? 1 : MOST_SEEDS, judgedWith);
}

/**
 * A baseline that was a stranger’s may fail with what is drawn out of one seed and not of another: that must neither be the fault of the kernel beside it nor keep a round
 * from its end. The next seed is the SHA-256 of the 32 bytes of the one before, so that all come to the same.
 */
async function withSeeds<Result>(seed: string, most: number, work: (seed: string) => Promise<Result>): Promise<Result> {
  try {
    return await work(seed);
  } catch (error) {
    if (most === 1 || !isOurs(error)) throw error;
    return await withSeeds(sha256(Buffer.from(seed, 'hex')).toString('hex'), most - 1, work);
  }
}

type Attempt = (kernel: Uint8Array) => Promise<KernelRefusal | Passed>;

async function proven(module: Uint8Array, baseline: Uint8Array, attempt: Attempt): Promise<KernelRefusal | Passed> {
  let verdict = await attempt(module);
  // Somebody else may have ended the process, or the machine has slept: it happens to the same kernel twice, or it does not count.
  if (mayBeOurs(verdict)) verdict = await attempt(module);
  if (mayBeOurs(verdict)) await proveJudge(attempt, baseline);
  return verdict;
}

/** Where the baseline in its place fares no better, the kernel has nothing to do with it. */
async function proveJudge(attempt: Attempt, baseline: Uint8Array) {
  const control = await attempt(baseline);
  if (!control.right) throw ours(say('kernels.ours.baseline', { reason: control.reason }));
}

const mayBeOurs = (verdict: KernelRefusal | Passed) =>
  !verdict.right && (verdict.fault === 'died' || verdict.fault === 'late');
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const bad = (message: Saying, field: string) => new QuarryError({ code: 'BAD_REQUEST', message, field });
