import type { Logger } from 'pino';
import { entryModule } from '../../base/installation.ts';
import type { ChildExit, ProcessSpawner, SpawnedChild } from '../../process/process-spawner.ts';
import { type ChildMessage, childMessageSchema, type HostMessage } from '../engine-protocol.ts';

export interface EngineProcessOptions {
  spawner: ProcessSpawner;
  /** Module of the engine child. */
  entry: URL;
  log: Logger;
  onMessage: (message: ChildMessage) => void;
  /** The child is gone, and `close` was not called. */
  onDeath: (reason: string) => void;
}

const ENVIRONMENT = {
  // libuv hands each batch to another of its threads; with one, llama.cpp's stay warm (twice the speed on two cores).
  UV_THREADPOOL_SIZE: '1',
  // An aborting llama.cpp would start a debugger first, if there is one, to print where it stopped.
  GGML_NO_BACKTRACE: '1',
};
const KEPT_STDERR = 2_000;

/** Module of the engine child. */
export const ENGINE_ENTRY = entryModule('inference/child/engine-child');

/** One engine child, from its start to its end. What it says is checked; one that talks nonsense is ended. */
export class EngineProcess {
  readonly #options: EngineProcessOptions;
  readonly #child: SpawnedChild;
  readonly #exited = Promise.withResolvers<void>();
  #closing = false;
  #stderr = '';

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#child = options.spawner.spawn(options.entry, ENVIRONMENT, {
      onMessage: (message) => this.#onMessage(message),
      onStderr: (text) => this.#onStderr(text),
      onExit: (exit) => this.#onExit(exit),
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: HostMessage): void {
    this.#child.send(message);
  }

  /** Ends the child at once; resolves when it is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#child.kill();
    await this.#exited.promise;
  }

  #onMessage(message: unknown): void {
    if (this.#closing) return;
    const parsed = childMessageSchema.safeParse(message);
    if (parsed.success) {
      this.#options.onMessage(parsed.data);
      return;
    }
    this.#options.log.error({ issues: parsed.error.issues }, 'the engine said something that it should not');
    this.#child.kill();
  }

  #onStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
    this.#options.log.debug({ stderr: text.trimEnd() }, 'engine');
  }

  #onExit(exit: ChildExit): void {
    this.#exited.resolve();
    if (!this.#closing) this.#options.onDeath(this.#reason(exit));
  }

  #reason({ code, signal }: ChildExit): string {
    const how = signal ? `was ended by ${signal}` : code === null ? 'could not be started' : `ended with code ${code}`;
    const lines = this.#stderr.trim().split('\n');
    const lastWords = lines.findLast((line) => /error|assert|abort|failed/i.test(line)) ?? lines.at(-1);
    return lastWords ? `${how}: ${lastWords.trim()}` : how;
  }
}
