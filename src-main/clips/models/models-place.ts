import { Turns } from '../../base/turns.ts';
import type { ClipModelSettings } from './clip-model-settings.ts';
import { type ClipModelsOptions, type OpenClipModels, openClipModels } from './open-clip-models.ts';

export interface ModelsPlaceOptions extends Omit<ClipModelsOptions, 'settings'> {
  /** As they are now. */
  settings: () => ClipModelSettings;
}

/** The models of clips that the settings name: others are looked for when they name others. A resource. */
export class ModelsPlace {
  readonly #options: ModelsPlaceOptions;
  readonly #turns = new Turns();
  #now: OpenClipModels;
  /** The settings that they were opened with. */
  #asked: string;
  #isClosed = false;

  private constructor(options: ModelsPlaceOptions, now: OpenClipModels) {
    this.#options = options;
    this.#now = now;
    this.#asked = JSON.stringify(options.settings());
  }

  static async open(options: ModelsPlaceOptions): Promise<ModelsPlace> {
    return new ModelsPlace(options, await opened(options));
  }

  get now(): OpenClipModels {
    return this.#now;
  }

  /** Looks whether the settings name others by now. Who is asking those of before is told that they are gone. */
  async look(): Promise<void> {
    await this.#turns.take(async () => {
      const asked = JSON.stringify(this.#options.settings());
      if (asked === this.#asked || this.#isClosed) return;
      const before = this.#now;
      this.#now = await opened(this.#options);
      this.#asked = asked;
      await before.close();
    });
  }

  /** Looks again, also where the settings name the same: what lies there has changed. */
  async lookAgain(): Promise<void> {
    this.#asked = '';
    await this.look();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.ended();
    await this.#now.close();
  }
}

const opened = ({ settings, ...options }: ModelsPlaceOptions) => openClipModels({ ...options, settings: settings() });
