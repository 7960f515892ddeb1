import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { entryModule } from '../base/installation.ts';
import { ignoring } from '../base/swallowed.ts';
import type { ProcessFigures } from './process-figures.ts';

/** Milliseconds in which it may end by itself, and in which it has to tell what it takes. */
const ENDS_MS = 20_000;
const ANSWERS_MS = 60_000;

export interface MeasuredProcessOptions {
  /** The module and its arguments. */
  program: readonly [string, ...string[]];
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  /** Default {@link ENDS_MS}. */
  endsMs?: number;
  /** Default {@link ANSWERS_MS}. */
  answersMs?: number;
}

/** A program in a Node of its own that tells what it takes, and knows nothing of it. Runs from the start. A resource: close it. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #endsMs: number;
  readonly #answersMs: number;
  readonly #exited: Promise<void>;
  readonly #gone = new AbortController();

  constructor({ program, env, endsMs = ENDS_MS, answersMs = ANSWERS_MS }: MeasuredProcessOptions) {
    const [module, ...args] = program;
    const execArgv = ['--expose-gc', '--import', entryModule('bench/process-figures').href];
    this.#child = fork(module, args, { env, execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#endsMs = endsMs;
    this.#answersMs = answersMs;
    this.#exited = new Promise((resolve) => {
      const ended = () => {
        this.#gone.abort();
        resolve();
      };
      this.#child.once('exit', ended);
      this.#child.on('error', () => this.#child.pid === undefined && ended()); // it could not be started at all
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#gone.signal.aborted;
  }

  /** What it takes, and how late its timers were since the last time. Collects its garbage. @throws Error when it has ended or does not answer */
  async figures(): Promise<ProcessFigures> {
    const over = AbortSignal.any([this.#gone.signal, AbortSignal.timeout(this.#answersMs)]);
    try {
      const answered = once(this.#child, 'message', { signal: over });
      this.#child.send('figures', ignoring('that it is gone is seen by its exit'));
      const [figures] = await answered;
      return figures;
    } catch (cause) {
      const why = this.hasEnded ? 'has ended' : 'does not answer';
      throw new Error(`What the process takes cannot be told: it ${why}.`, { cause });
    }
  }

  /** Asks it to end, and ends it when it does not in time. Idempotent. */
  async close(): Promise<void> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), this.#endsMs);
    await this.#exited;
    clearTimeout(late);
  }
}
