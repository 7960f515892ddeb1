import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { MiningView } from '../../../src-preload/contract/node.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { errorView } from '../../base/error-view.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { MeshWorker } from '../../mesh/serving/worker.ts';

export interface MiningSwitchOptions {
  engine: EngineSlot;
  /** Serves the mesh whenever this says `running`; see {@link MiningSwitch.refusal}. */
  worker: Pick<MeshWorker, 'endAll'>;
  /** The model that would be loaded, as far as it is known. */
  model: () => string | undefined;
  /** The model is loaded; awaited before the mesh may use it. */
  onLoaded?: () => Promise<void>;
  onRunning?: () => void;
  /** The model is about to go. */
  onStopping?: () => Promise<void>;
}

/** Turns mining on and off: whether the model is loaded and the mesh may use it. The last call counts. A resource. */
export class MiningSwitch {
  readonly #options: MiningSwitchOptions;
  readonly #listeners = new ListenerSet();
  #state: MiningView['state'] = 'stopped';
  #error: QuarryError | undefined;
  #wanted = false;
  #starting: Promise<void> | undefined;
  /** Changes with every start and stop: a start that finds another one was overtaken. */
  #turn = 0;
  #stopping: Promise<void> | undefined;
  #closed = false;

  constructor(options: MiningSwitchOptions) {
    this.#options = options;
  }

  get state(): MiningView['state'] {
    return this.#state;
  }

  view(): MiningView {
    const { engine, model } = this.#options;
    const error = this.#error && errorView(this.#error);
    return { state: this.#state, model: engine.status().model?.name ?? model(), ...(error && { error }) };
  }

  /** Why the mesh may not use the engine now; undefined while it may. One sentence. */
  get refusal(): string | undefined {
    if (this.#state === 'running') return undefined;
    return this.#state === 'starting' ? 'The model is being loaded.' : 'Mining is stopped.';
  }

  /** Calls back whenever the state changes. @returns what ends that */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Loads the model, unless it is loaded, and lets the mesh use it. Who calls meanwhile waits for the same.
   * @throws what loading throws, which {@link view} shows too; CANCELLED when {@link stop} came first
   */
  async start(): Promise<void> {
    if (this.#closed) throw givenUp();
    this.#wanted = true;
    if (this.#state === 'running') return;
    if (!this.#starting) {
      const starting = this.#start().finally(() => {
        if (this.#starting === starting) this.#starting = undefined;
      });
      this.#starting = starting;
    }
    await this.#starting;
  }

  /** Ends what runs and waits with an error that says so, and frees the model's memory. Idempotent. */
  stop(): Promise<void> {
    this.#wanted = false;
    return this.#halt();
  }

  /** The settings mean another model: loads it if this node mines. @throws as {@link start} */
  async reload(): Promise<void> {
    await this.#halt();
    if (this.#wanted) await this.start();
  }

  /** {@link stop}, for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
    this.#listeners.clear();
  }

  async #start(): Promise<void> {
    await this.#stopping;
    if (!this.#wanted) throw givenUp();
    const turn = ++this.#turn;
    this.#become('starting');
    try {
      await this.#options.engine.open();
      await this.#options.onLoaded?.();
    } catch (error) {
      if (turn !== this.#turn) throw givenUp();
      this.#error = QuarryError.from(error);
      this.#wanted = false;
      this.#become('stopped');
      throw this.#error;
    }
    if (turn !== this.#turn) throw givenUp();
    this.#options.onRunning?.();
    this.#become('running');
  }

  #halt(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { engine, worker, onStopping } = this.#options;
    this.#turn++;
    this.#starting = undefined; // whoever starts from now on waits until this is done
    if (this.#state !== 'stopped') this.#become('stopping');
    await onStopping?.();
    await worker.endAll();
    await engine.close();
    if (this.#state !== 'stopped') this.#become('stopped');
  }

  #become(state: MiningView['state']): void {
    if (state === 'starting') this.#error = undefined;
    this.#state = state;
    this.#listeners.tell();
  }
}

function givenUp(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('node.miningStopped') });
}
