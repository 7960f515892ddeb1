import type { Address } from 'hyperdht';
import type { ModelToShare } from '../../mesh/sharing/model-sharing.ts';
import { AskedProcess } from '../asked-process.ts';

/** What the bench asks of a seeder's process. */
export type SeederOrder =
  | {
      type: 'open';
      model: ModelToShare;
      folder: string;
      bootstrap: Address[];
      /** Bytes per second; null: no cap. */
      uploadLimit: number | null;
    }
  | { type: 'close' };

export type SeederAnswer =
  /** Keys (64 hex) of the bare core and of the node that serves it. */
  { type: 'ready'; core: string; node: string } | { type: 'failed'; message: string };

/** A seeder of `quarry bench download` in a process of its own, as it would be on another machine. */
export class ModelSeederProcess {
  readonly #process = new AskedProcess<SeederOrder, SeederAnswer>('bench/sharing/model-seeder');

  async open(order: Omit<Extract<SeederOrder, { type: 'open' }>, 'type'>): Promise<{ core: string; node: string }> {
    this.#process.open();
    return await this.#process.ask({ type: 'open', ...order }, 'ready');
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#process.close({ type: 'close' });
  }
}
