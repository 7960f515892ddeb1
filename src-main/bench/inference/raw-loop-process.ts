import type { LoadOptions } from '../../inference/engine-protocol.ts';
import { AskedProcess } from '../asked-process.ts';
import type { RawAnswer, RawOrder } from './raw-loop.ts';

/** The raw loop in a process of its own, as the engine child is. */
export class RawLoopProcess {
  readonly #process = new AskedProcess<RawOrder, RawAnswer>('bench/inference/raw-loop', {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stderr: 'ignore', // llama.cpp says there what it does
  });

  async open(options: LoadOptions): Promise<void> {
    this.#process.open();
    await this.#process.ask({ type: 'load', options }, 'loaded');
  }

  /** @param prompts as token ids, one for each stream @returns milliseconds until the last token of the last answer */
  async complete(prompts: number[][], tokens: number): Promise<number> {
    return (await this.#process.ask({ type: 'complete', prompts, tokens }, 'completed')).ms;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#process.close();
  }
}
