import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entryModule } from '../base/installation.ts';

/** What every such process may answer, beside what it is asked for. */
export interface AskedFailed {
  type: 'failed';
  message: string;
}

export interface AskedOptions {
  /** Its whole environment. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Where its complaints go. Default: to those of this process. */
  stderr?: 'inherit' | 'ignore';
}

/** A part of a bench in a process of its own: it is given one order after the other, and answers each. */
export class AskedProcess<Order extends { type: string }, Answer extends { type: string }> {
  readonly #module: string;
  readonly #options: AskedOptions;
  #child: ChildProcess | undefined;

  /** @param module see {@link entryModule} */
  constructor(module: string, options: AskedOptions = {}) {
    this.#module = module;
    this.#options = options;
  }

  open(): void {
    const { env = process.env, stderr = 'inherit' } = this.#options;
    this.#child = fork(fileURLToPath(entryModule(this.#module)), { env, stdio: ['ignore', 'ignore', stderr, 'ipc'] });
  }

  /** @param type the answer that is meant @throws Error when it fails, ends, or answers something else */
  async ask<T extends Answer['type']>(order: Order, type: T): Promise<Extract<Answer, { type: T }>> {
    const child = this.#child;
    if (!child) throw new Error(`The process of ${this.#module} is not open.`);
    const waiting = new AbortController();
    const { signal } = waiting;
    child.send(order);
    const ended = once(child, 'exit', { signal }).then(() => [
      { type: 'failed', message: `The process of ${this.#module} ended.` } satisfies AskedFailed,
    ]);
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended]).finally(() =>
      waiting.abort(),
    )) as [Answer | AskedFailed];
    if (answer.type === type) return answer as Extract<Answer, { type: T }>;
    throw new Error(answer.type === 'failed' ? (answer as AskedFailed).message : `unexpected answer ${answer.type}`);
  }

  /** Tells it to end, and waits until it has. Idempotent. @param order its last one. Default: that nobody speaks to it any more */
  async close(order?: Order): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    if (order) child.send(order);
    else child.disconnect();
    await exited;
  }
}
