import { unlessAborted } from '../../src-main/base/unless-aborted.ts';
import type { EngineInUse, OtherEngines } from '../../src-main/mesh/serving/queue/other-engines.ts';
import type { ServedModel } from '../../src-main/mesh/transport/messages.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ScriptedBackend } from './scripted-backend.ts';

/** Models beside a worker's own, loaded when the test says so. */
export class ScriptedEngines implements OtherEngines {
  readonly backends = new Map<string, ScriptedBackend>();
  /** Names, in the order in which they were loaded. */
  readonly loads: string[] = [];
  /** How many hold each. */
  readonly held = new Map<string, number>();
  loading: string | undefined;
  /** Whether there is memory. */
  hasRoom = true;
  /** Awaited while one is loaded. Throw in it to fail there. */
  during: () => Promise<void> | void = () => {};
  readonly #names: Record<string, number>;
  #under: Promise<void> = Promise.resolve();

  /** @param names milliseconds that each says that it takes to be loaded */
  constructor(names: Record<string, number>) {
    this.#names = names;
  }

  offered(): ServedModel[] {
    return Object.entries(this.#names).map(([name, loadMs]) => ({
      name,
      contextSize: 4_096,
      ...(!this.backends.has(name) && { loadMs }),
    }));
  }

  free(name: string): void {
    this.backends.delete(name);
  }

  async begin(name: string, signal: AbortSignal, onRoom: () => void): Promise<EngineInUse> {
    if (!this.backends.has(name) && this.loading !== name) {
      if (!this.hasRoom) throw new QuarryError({ code: 'OUT_OF_MEMORY', message: 'full', retryable: true });
      this.loading = name;
      onRoom();
      this.#under = this.#load(name);
    }
    await unlessAborted(this.#under, signal);
    const backend = this.backends.get(name);
    if (!backend) throw new Error('It was not loaded.');
    this.held.set(name, (this.held.get(name) ?? 0) + 1);
    return { backend, [Symbol.dispose]: () => void this.held.set(name, (this.held.get(name) ?? 0) - 1) };
  }

  async #load(name: string): Promise<void> {
    this.loads.push(name);
    try {
      await this.during();
      this.backends.set(name, new ScriptedBackend({ model: name, tokens: [`I am ${name}.`] }));
    } finally {
      this.loading = undefined;
    }
  }
}
