import type { QuarryError } from '../../src-preload/contract/errors.ts';
import type { MiningView } from '../../src-preload/contract/node.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { ListenerSet } from '../base/listener-set.ts';

/** Whether the node mines: {@link MiningSwitch} turns it, the worker goes by it. */
export class MiningState {
  readonly #listeners = new ListenerSet();
  #value: MiningView['state'] = 'stopped';
  #error: QuarryError | undefined;
  /** Why it refuses for a while although it mines, each as long as it is held. */
  readonly #held = new Set<Saying>();

  get value(): MiningView['state'] {
    return this.#value;
  }

  /** Why the last start failed; gone at the next one. */
  get error(): QuarryError | undefined {
    return this.#error;
  }

  /** Why the mesh may not use the engine now; undefined while it may. */
  get refusal(): Saying | undefined {
    if (this.#value === 'running') return [...this.#held].at(-1);
    return say(this.#value === 'starting' ? 'engine.loading' : 'mesh.miningStopped');
  }

  /** The mesh is refused, for this reason, until the result is disposed of. */
  hold(reason: Saying): Disposable {
    const held = { ...reason };
    this.#held.add(held);
    this.#listeners.tell();
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(held);
        this.#listeners.tell();
      },
    };
  }

  /** Calls back whenever it changes. @returns what ends that */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** @param error why it was not to be started */
  become(value: MiningView['state'], error?: QuarryError): void {
    if (value === 'starting' || error) this.#error = error;
    this.#value = value;
    this.#listeners.tell();
  }

  /** Nobody is told any more. */
  close(): void {
    this.#listeners.clear();
  }
}
