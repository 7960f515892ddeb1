import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { entryModule } from '../base/installation.ts';

/** What the bench asks of the worker's process. */
export type WorkerOrder =
  | { type: 'open'; model: string; folder: string; bootstrap: { host: string; port: number }[]; parallel: number }
  /** Straight from the engine, all at once. */
  | { type: 'generate'; requests: GenerateRequest[] }
  /** What the engine alone took to each first token since the last such order, by the request's seed. */
  | { type: 'first-tokens' }
  | { type: 'close' };

export type WorkerAnswer =
  | { type: 'ready'; id: string }
  | { type: 'generated'; tokens: number; ms: number }
  | { type: 'first-tokens'; ms: [seed: number, ms: number][] }
  | { type: 'failed'; message: string };

type AnswerOf<T extends WorkerAnswer['type']> = Extract<WorkerAnswer, { type: T }>;

/** The worker of `quarry bench mesh` in a process of its own, as it would be on another machine. */
export class MeshWorkerProcess {
  #child: ChildProcess | undefined;

  /** @returns the worker's id */
  async open(order: Omit<Extract<WorkerOrder, { type: 'open' }>, 'type'>): Promise<string> {
    const entry = entryModule('bench/mesh-worker');
    this.#child = fork(fileURLToPath(entry), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    return (await this.#ask({ type: 'open', ...order }, 'ready')).id;
  }

  async generate(requests: GenerateRequest[]): Promise<AnswerOf<'generated'>> {
    return await this.#ask({ type: 'generate', requests }, 'generated');
  }

  async firstTokenMs(): Promise<Map<number, number>> {
    return new Map((await this.#ask({ type: 'first-tokens' }, 'first-tokens')).ms);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.send({ type: 'close' } satisfies WorkerOrder);
    await exited;
  }

  async #ask<T extends WorkerAnswer['type']>(order: WorkerOrder, type: T): Promise<AnswerOf<T>> {
    const child = this.#child;
    if (!child) throw new Error('The worker process is not open.');
    const waiting = new AbortController();
    const { signal } = waiting;
    child.send(order);
    const [answer] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [{ type: 'failed', message: 'The worker process ended.' }]),
    ]).finally(() => waiting.abort())) as [WorkerAnswer];
    if (answer.type === type) return answer as AnswerOf<T>;
    throw new Error(answer.type === 'failed' ? answer.message : `unexpected answer ${answer.type}`);
  }
}
