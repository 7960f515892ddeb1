import { availableParallelism, totalmem } from 'node:os';
import type { Words } from '../../src-preload/contract/saying.ts';

/** What came of a program. */
export type ProgramRun =
  | { outcome: 'ran'; stdout: string; stderr: string; truncated: boolean }
  /** It took too long. */
  | { outcome: 'late' }
  /** Its process is gone: too much memory, mostly. */
  | { outcome: 'died'; reason: Words };

/** How long a program may take, milliseconds of the clock. */
export interface ProgramTime {
  /** For an input. */
  runMs: number;
  /** For all of its inputs together: {@link MOST_PROGRAM_MS} at the most. */
  programMs: number;
}

/** How a program is run. */
export interface ProgramRunOptions {
  /** Where it is to have another time than what is usual: one with much to read. */
  time?: ProgramTime | undefined;
  /** Whether what came of an input is enough, so that the program is run for no other. Default: never. */
  isEnough?: ((run: ProgramRun, at: number) => boolean) | undefined;
  /** Whose program it is: where others wait, each party has the same time ({@link Places}). Default: a party of its own. */
  party?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs strangers' Python so that it harms nobody. A resource. */
export interface ProgramSandbox {
  /**
   * Runs a program for one input after another, until it takes too long or dies of one, or one is enough.
   * @returns what came of each, as far as it got
   * @throws ENGINE_UNAVAILABLE where no sandbox comes up; CANCELLED once it was closed; the signal's reason
   */
  run(program: string, inputs: readonly string[], options?: ProgramRunOptions): Promise<ProgramRun[]>;
  /** Ends whatever runs. Idempotent. */
  close(): Promise<void>;
}

/** How long a program may take for an input, milliseconds (Affine, executor: 30 s of clock, 10 s of processor). */
export const RUN_MS = 10_000;
/** And for all of its inputs together. */
export const PROGRAM_MS = 30_000;
/** Nobody gives more: its process would be ended before. */
export const MOST_PROGRAM_MS = 90_000;

/** How long a program may still run. */
export class RunTime {
  readonly #runMs: number;
  readonly #now: () => number;
  #leftMs: number;

  /** @param runMs for an input @param programMs for all of them @param now milliseconds */
  constructor(runMs: number, programMs: number, now: () => number = () => performance.now()) {
    this.#runMs = runMs;
    this.#leftMs = programMs;
    this.#now = now;
  }

  /** Runs it for an input. @param run gets the milliseconds that it has for that */
  async spend<Done>(run: (ms: number) => Promise<Done>): Promise<Done> {
    const begun = this.#now();
    try {
      return await run(Math.max(0, Math.min(this.#runMs, this.#leftMs)));
    } finally {
      this.#leftMs -= this.#now() - begun;
    }
  }
}

/** Runs a program for one input after another, as {@link ProgramSandbox.run} says. */
export async function runInTurn(
  inputs: readonly string[],
  { isEnough = () => false }: Pick<ProgramRunOptions, 'isEnough'>,
  runOnce: (stdin: string) => Promise<ProgramRun>,
): Promise<ProgramRun[]> {
  const runs: ProgramRun[] = [];
  for (const [at, stdin] of inputs.entries()) {
    const run = await runOnce(stdin);
    runs.push(run);
    if (run.outcome !== 'ran' || isEnough(run, at)) break;
  }
  return runs;
}

/** One for each processor, for each two GiB of memory, 8 at most. */
export const programsAtATime = (): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / 2 ** 31), 8));
