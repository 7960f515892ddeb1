import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entryModule } from '../../base/installation.ts';
import type { LoadOptions } from '../../inference/engine-protocol.ts';
import type { RawAnswer, RawOrder } from './raw-loop.ts';

/** The raw loop in a process of its own, as the engine child is. */
export class RawLoopProcess {
  #child: ChildProcess | undefined;

  async open(options: LoadOptions): Promise<void> {
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const stdio: ['ignore', 'ignore', 'ignore', 'ipc'] = ['ignore', 'ignore', 'ignore', 'ipc'];
    this.#child = fork(fileURLToPath(entryModule('bench/inference/raw-loop')), { env, stdio });
    await this.#ask({ type: 'load', options }, 'loaded');
  }

  /** @param prompts as token ids, one for each stream @returns milliseconds until the last token of the last answer */
  async complete(prompts: number[][], tokens: number): Promise<number> {
    return (await this.#ask({ type: 'complete', prompts, tokens }, 'completed')).ms;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }

  async #ask<T extends RawAnswer['type']>(order: RawOrder, type: T): Promise<Extract<RawAnswer, { type: T }>> {
    const child = this.#child;
    if (!child) throw new Error('The raw loop is not open.');
    const waiting = new AbortController();
    const { signal } = waiting;
    child.send(order);
    const ended = once(child, 'exit', { signal }).then(() => [{ type: 'failed', message: 'The raw loop ended.' }]);
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended]).finally(() =>
      waiting.abort(),
    )) as [RawAnswer];
    if (answer.type === type) return answer as Extract<RawAnswer, { type: T }>;
    throw new Error(answer.type === 'failed' ? answer.message : `unexpected answer ${answer.type}`);
  }
}
