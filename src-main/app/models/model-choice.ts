import type { LocalModel } from '../../../src-preload/contract/models.ts';
import type { FixedConfig } from '../../settings/config.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ModelDesk } from './model-desk.ts';

export interface ModelChoiceOptions {
  config: Pick<FixedConfig, 'backend'>;
  settings: Pick<Settings, 'set'>;
  /** What the settings name. */
  model: () => string | undefined;
  desk: Pick<ModelDesk, 'checkInstalled' | 'list'>;
  /** Loads the model that is meant now in place of the one that is loaded, if the node mines. */
  reload: () => Promise<void>;
}

/** Which model of the library the engine loads. */
export class ModelChoice {
  readonly #options: ModelChoiceOptions;
  /** The model that a setting has named last is loaded, or could not be. */
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: ModelChoiceOptions) {
    this.#options = options;
  }

  /**
   * Makes a model of the library the one that the engine loads; while mining, it is loaded at once. Null goes back to what
   * the file says, or the newest.
   * @throws MODEL_NOT_FOUND; CONFIG_INVALID when the environment or the command line names the model; what loading it throws
   */
  async choose(name: string | null): Promise<LocalModel[]> {
    const { settings, model, desk } = this.#options;
    if (name !== null) await desk.checkInstalled(name);
    const before = model();
    await settings.set({ changes: { model: name } });
    await (model() === before ? this.reload() : this.#reloading);
    return await desk.list();
  }

  /** The settings may mean another model now. @throws what loading it throws */
  reload(): Promise<void> {
    if (this.#options.config.backend === 'local') this.#reloading = this.#options.reload();
    return this.#reloading;
  }
}
