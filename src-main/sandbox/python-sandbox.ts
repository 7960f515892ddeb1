import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { Places } from '../base/places.ts';
import { ignoring } from '../base/swallowed.ts';
import { nodeSpawner, type ProcessSpawner } from '../process/process-spawner.ts';
import {
  PROGRAM_MS,
  type ProgramRun,
  type ProgramRunOptions,
  type ProgramSandbox,
  programsAtATime,
  RUN_MS,
  RunTime,
  runInTurn,
} from './program-sandbox.ts';
import { PythonProcess } from './python-process.ts';
import { pythonSnapshot } from './python-snapshot.ts';

const IDLE_MS = 60_000;

export interface PythonSandboxOptions {
  spawner?: ProcessSpawner | undefined;
  /** Keeps there, from one start to the next, what makes processes start faster. Nobody else may write there. Default: nowhere. */
  folder?: string | undefined;
  /** How long a program may take for an input, and for all of them, milliseconds. Default 10,000 and 30,000. */
  runMs?: number;
  programMs?: number;
  /** Programs at a time. Default as {@link programsAtATime}. */
  most?: number;
  /** Processes that are kept waiting for the next program, and for how long, milliseconds. Default 1, a minute. */
  warm?: number;
  idleMs?: number;
}

/** Runs strangers' Python in WebAssembly, each program in a process of its own that has no files, no network and no other processes, and is ended when it takes too long. */
export class PythonSandbox implements ProgramSandbox {
  readonly #options: Required<Pick<PythonSandboxOptions, 'spawner' | 'runMs' | 'programMs' | 'warm' | 'idleMs'>>;
  readonly #folder: string | undefined;
  readonly #places: Places;
  readonly #closing = new AbortController();
  /** Whatever is there, warm or running. */
  readonly #processes = new Set<PythonProcess>();
  readonly #warm: Promise<PythonProcess>[] = [];
  #snapshot: Promise<string | undefined> | undefined;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PythonSandboxOptions = {}) {
    const {
      spawner = nodeSpawner,
      folder,
      runMs = RUN_MS,
      programMs = PROGRAM_MS,
      warm = 1,
      idleMs = IDLE_MS,
      most = programsAtATime(),
    } = options;
    this.#options = { spawner, runMs, programMs, warm, idleMs };
    this.#folder = folder;
    this.#places = new Places(most);
  }

  async run(program: string, inputs: readonly string[], options: ProgramRunOptions = {}): Promise<ProgramRun[]> {
    const { party, signal } = options;
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const work = () => this.#runAll(program, inputs, options, ended);
    return await this.#places.take(work, { party, signal: ended });
  }

  async close(): Promise<void> {
    clearInterval(this.#idle);
    this.#closing.abort(new QuarryError({ code: 'CANCELLED', message: say('sandbox.closed') }));
    await Promise.allSettled(this.#warm.splice(0)); // what is about to start has started, or never will
    await this.#snapshot;
    await Promise.all([...this.#processes].map((child) => child.close()));
  }

  /** In one process, as long as the program leaves it fit for the next input. */
  async #runAll(
    program: string,
    inputs: readonly string[],
    { isEnough, time: given = this.#options }: ProgramRunOptions,
    ended: AbortSignal,
  ): Promise<ProgramRun[]> {
    const time = new RunTime(given.runMs, given.programMs);
    let child: PythonProcess | undefined;
    const abort = () => child?.end(ended.reason);
    ended.addEventListener('abort', abort);
    this.#running++;
    try {
      return await runInTurn(inputs, { isEnough }, async (stdin) => {
        if (child?.isSpent) await this.#end(child);
        if (!child || child.isSpent) child = await this.#next();
        const fit = child;
        ended.throwIfAborted();
        await fit.ready;
        this.#refill(); // while this one computes, the next one starts
        return await time.spend((ms) => fit.run({ program, stdin }, ms));
      });
    } finally {
      ended.removeEventListener('abort', abort);
      this.#running--;
      this.#idle?.refresh();
      if (child) await this.#end(child);
    }
  }

  #refill(): void {
    if (this.#closing.signal.aborted) return;
    while (this.#warm.length < this.#options.warm) {
      const next = this.#start();
      next.catch(ignoring('whoever takes it is told'));
      this.#warm.push(next);
    }
    this.#idle ??= setInterval(() => void this.#cool(), this.#options.idleMs).unref();
  }

  /** Nobody has wanted a program run for a while. */
  async #cool(): Promise<void> {
    if (this.#running > 0) return;
    clearInterval(this.#idle);
    this.#idle = undefined;
    for (const start of await Promise.allSettled(this.#warm.splice(0)))
      if (start.status === 'fulfilled') await this.#end(start.value);
  }

  /** One that is warm, unless something has ended it while it waited. */
  async #next(): Promise<PythonProcess> {
    const child = await (this.#warm.shift() ?? this.#start());
    if (!child.isGone) return child;
    await this.#end(child);
    return this.#next();
  }

  async #start(): Promise<PythonProcess> {
    const { spawner } = this.#options;
    const from = await this.#snapshotFile();
    this.#closing.signal.throwIfAborted();
    const child = new PythonProcess({ spawner, from });
    this.#processes.add(child);
    return child;
  }

  async #end(child: PythonProcess): Promise<void> {
    await child.close();
    this.#processes.delete(child);
  }

  /** Looked for, and made if need be, when the first program comes. */
  #snapshotFile(): Promise<string | undefined> {
    const folder = this.#folder;
    this.#snapshot ??=
      folder === undefined
        ? Promise.resolve(undefined)
        : pythonSnapshot(folder, this.#options.spawner).catch(
            ignoring('without one they start slowly, or say why not'),
          );
    return this.#snapshot;
  }
}
