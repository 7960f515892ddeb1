import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { entryModule, installedPath } from '../base/installation.ts';
import { ignoring } from '../base/swallowed.ts';
import { CheckedChild } from '../process/checked-child.ts';
import type { ProcessSpawner } from '../process/process-spawner.ts';
import { MOST_PROGRAM_MS, type ProgramRun } from './program-sandbox.ts';
import { type PythonReply, type PythonTask, pythonReplySchema } from './python-messages.ts';

const ENTRY = entryModule('sandbox/python-child');
/** What its process reads, beside Python. */
const OWN_FOLDERS = [dirname(fileURLToPath(ENTRY)), installedPath('src-main/process')];
/** Of WebAssembly (Affine, executor: 512 MiB). */
const WEB_ASSEMBLY_MIB = 512;
/** JavaScript's heap; resident memory, which is looked at once a second; what the system gives at most. */
const [HEAP_MIB, MEMORY_MIB, DATA_MIB] = [256, 1_024, 1_536];
/** Of a processor, all that a program may take and the start: whoever spins is ended by the clock before. */
const CPU_SECONDS = MOST_PROGRAM_MS / 1_000 + 30;
const LIMITS = { heapMiB: HEAP_MIB, memoryMiB: MEMORY_MIB, cpuSeconds: CPU_SECONDS, priority: 10 };
const START_MS = 60_000;

/** What a process begins with. */
export interface PythonStart {
  spawner: ProcessSpawner;
  /** Begins with this memory of another interpreter. */
  from?: string | undefined;
  /** Writes the memory of an interpreter there, and runs no program. */
  to?: string;
}

/** Where Pyodide really lies: its process may look nowhere else for it. */
export const pyodideFolder = (): string =>
  dirname(realpathSync(createRequire(import.meta.url).resolve('pyodide/pyodide.mjs')));

/** A process with an interpreter, for one program. */
export class PythonProcess {
  readonly #child: CheckedChild<PythonReply>;
  readonly #ready = Promise.withResolvers<void>();
  #ran = Promise.withResolvers<ProgramRun>();
  readonly #starting: NodeJS.Timeout;
  #isSpent = false;
  #isReady = false;
  #isDead = false;

  constructor({ spawner, from, to }: PythonStart) {
    const folder = pyodideFolder();
    const way = from ? ['from', from] : to ? ['to', to] : [];
    const reads = [...OWN_FOLDERS, folder, ...(from ? [from] : [])];
    this.#child = new CheckedChild<PythonReply>({
      spawner,
      launch: {
        name: 'the sandbox',
        run: ENTRY,
        args: [folder, ...way],
        env: {},
        limits: LIMITS,
        walls: { reads, ...(to && { writes: [to] }), webAssemblyMiB: WEB_ASSEMBLY_MIB, dataMiB: DATA_MIB },
      },
      messages: pythonReplySchema,
      onMessage: (reply) => this.#take(reply),
      onDeath: (reason) => this.#died(reason),
    });
    this.#starting = setTimeout(() => this.#died(say('sandbox.slow')), START_MS);
    this.#ready.promise.catch(ignoring('whoever waits is told'));
    this.#expectRun();
  }

  /** Whether it was ready once, and is there no more. */
  get isGone(): boolean {
    return this.#isReady && this.#isDead;
  }

  /** Whether its interpreter takes no further input. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** @throws ENGINE_UNAVAILABLE where it does not come up */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Runs its program for an input: after one that was late, killed it or left it spent, for no other. */
  async run(task: PythonTask, ms: number): Promise<ProgramRun> {
    const timer = setTimeout(() => this.#ran.resolve({ outcome: 'late' }), ms);
    try {
      this.#child.send(task);
      const run = await this.#ran.promise;
      if (run.outcome === 'ran' && !this.#isSpent) this.#expectRun();
      return run;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whoever waits for it hears the reason. */
  end(reason: unknown): void {
    this.#ready.reject(reason);
    this.#ran.reject(reason);
  }

  async close(): Promise<void> {
    clearTimeout(this.#starting);
    await this.#child.close();
  }

  /** From here on: its end may come before it is asked to run anything. */
  #expectRun(): void {
    this.#ran = Promise.withResolvers<ProgramRun>();
    this.#ran.promise.catch(ignoring('whoever waits is told'));
  }

  #take(reply: PythonReply): void {
    if (reply.type === 'ready') {
      clearTimeout(this.#starting);
      this.#isReady = true;
      this.#ready.resolve();
      return;
    }
    const { stdout, stderr, truncated, spent } = reply;
    this.#isSpent ||= spent;
    this.#ran.resolve({ outcome: 'ran', stdout, stderr, truncated });
  }

  #died(reason: Words): void {
    clearTimeout(this.#starting);
    this.#isDead = true;
    this.#ready.reject(new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('sandbox.notThere', { reason }) }));
    this.#ran.resolve({ outcome: 'died', reason: saysNothing(reason) ? say('sandbox.killed') : reason });
  }
}

/** The last words of Node that has run out of memory are a stack of C++. */
const saysNothing = (reason: Words): boolean => typeof reason === 'object' && reason.key === 'child.lastWords';
