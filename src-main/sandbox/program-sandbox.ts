import { availableParallelism, totalmem } from 'node:os';
import type { Words } from '../../src-preload/contract/saying.ts';

/** What came of a program. */
export type ProgramRun =
  | { outcome: 'ran'; stdout: string; stderr: string; truncated: boolean }
  /** It took too long. */
  | { outcome: 'late' }
  /** Its process is gone: too much memory, mostly. */
  | { outcome: 'died'; reason: Words };

/** Runs strangers' Python so that it harms nobody. A resource. */
export interface ProgramSandbox {
  /**
   * Runs a program once for each input, until it takes too long or dies of one.
   * @returns what came of each, as far as it got
   * @throws ENGINE_UNAVAILABLE where no sandbox comes up; CANCELLED once it was closed; the signal's reason
   */
  run(program: string, inputs: readonly string[], signal?: AbortSignal): Promise<ProgramRun[]>;
  /** Ends whatever runs. Idempotent. */
  close(): Promise<void>;
}

/** How long a program may take for an input, milliseconds (Affine, executor: 30 s of clock, 10 s of processor). */
export const RUN_MS = 10_000;

/** One for each processor, for each two GiB of memory, 8 at most. */
export const programsAtATime = (): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / 2 ** 31), 8));
