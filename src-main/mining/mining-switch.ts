import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { MiningView } from '../../src-preload/contract/node.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { errorView } from '../base/error-view.ts';
import type { EngineSlot } from '../inference/host/engine-slot.ts';
import type { MeshWorker } from '../mesh/serving/worker.ts';
import { MiningState } from './mining-state.ts';

export interface MiningSwitchOptions {
  engine: EngineSlot;
  /** Where it is told how that goes: whoever serves the mesh goes by it. Default: one of its own. */
  state?: MiningState;
  /** Serves the mesh whenever the state is `running`. */
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
  readonly #state: MiningState;
  #wanted = false;
  #starting: Promise<void> | undefined;
  /** Changes with every start and stop: a start that finds another one was overtaken. */
  #turn = 0;
  #stopping: Promise<void> | undefined;
  #closed = false;

  constructor(options: MiningSwitchOptions) {
    this.#options = options;
    this.#state = options.state ?? new MiningState();
  }

  get state(): MiningView['state'] {
    return this.#state.value;
  }

  view(): MiningView {
    const { engine, model } = this.#options;
    const error = this.#state.error && errorView(this.#state.error);
    return { state: this.state, model: engine.status().model?.name ?? model(), ...(error && { error }) };
  }

  /** Calls back whenever the state changes. @returns what ends that */
  subscribe(listener: () => void): () => void {
    return this.#state.subscribe(listener);
  }

  /**
   * Loads the model, unless it is loaded, and lets the mesh use it. Who calls meanwhile waits for the same.
   * @throws what loading throws, which {@link view} shows too; CANCELLED when {@link stop} came first
   */
  async start(): Promise<void> {
    if (this.#closed) throw givenUp();
    this.#wanted = true;
    if (this.state === 'running') return;
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
    this.#state.close();
  }

  async #start(): Promise<void> {
    await this.#stopping;
    if (!this.#wanted) throw givenUp();
    const turn = ++this.#turn;
    this.#state.become('starting');
    try {
      await this.#options.engine.open();
      await this.#options.onLoaded?.();
    } catch (error) {
      if (turn !== this.#turn) throw givenUp();
      const named = QuarryError.from(error);
      this.#wanted = false;
      this.#state.become('stopped', named);
      throw named;
    }
    if (turn !== this.#turn) throw givenUp();
    this.#options.onRunning?.();
    this.#state.become('running');
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
    if (this.state !== 'stopped') this.#state.become('stopping');
    await onStopping?.();
    await worker.endAll();
    await engine.close();
    if (this.state !== 'stopped') this.#state.become('stopped');
  }
}

function givenUp(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('node.miningStopped') });
}
