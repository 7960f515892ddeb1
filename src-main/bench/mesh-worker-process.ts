import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { AskedProcess } from './asked-process.ts';

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

/** The worker of `quarry bench mesh` in a process of its own, as it would be on another machine. */
export class MeshWorkerProcess {
  readonly #process = new AskedProcess<WorkerOrder, WorkerAnswer>('bench/mesh-worker');

  /** @returns the worker's id */
  async open(order: Omit<Extract<WorkerOrder, { type: 'open' }>, 'type'>): Promise<string> {
    this.#process.open();
    return (await this.#process.ask({ type: 'open', ...order }, 'ready')).id;
  }

  async generate(requests: GenerateRequest[]): Promise<Extract<WorkerAnswer, { type: 'generated' }>> {
    return await this.#process.ask({ type: 'generate', requests }, 'generated');
  }

  async firstTokenMs(): Promise<Map<number, number>> {
    return new Map((await this.#process.ask({ type: 'first-tokens' }, 'first-tokens')).ms);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#process.close({ type: 'close' });
  }
}
