import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Address } from 'hyperdht';
import { entryModule } from '../../base/installation.ts';
import type { ModelToShare } from '../../mesh/sharing/model-sharing.ts';

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
  #child: ChildProcess | undefined;

  async open(order: Omit<Extract<SeederOrder, { type: 'open' }>, 'type'>): Promise<{ core: string; node: string }> {
    const entry = entryModule('bench/sharing/model-seeder');
    this.#child = fork(fileURLToPath(entry), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const answer = await ask(this.#child, { type: 'open', ...order });
    if (answer.type === 'ready') return answer;
    throw new Error(answer.message);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.send({ type: 'close' } satisfies SeederOrder);
    await exited;
  }
}

async function ask(child: ChildProcess, order: SeederOrder): Promise<SeederAnswer> {
  const waiting = new AbortController();
  const { signal } = waiting;
  child.send(order);
  const [answer] = (await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(() => [{ type: 'failed', message: 'The seeder’s process ended.' }]),
  ]).finally(() => waiting.abort())) as [SeederAnswer];
  return answer;
}
