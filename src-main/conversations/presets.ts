import type { Preset } from '../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { PresetStore } from '../store/conversations/presets.ts';

export const MAX_PRESETS = 200;

/** How answers are made, kept by name: for the next conversation, too. */
export class Presets {
  readonly #store: PresetStore;

  constructor(store: PresetStore) {
    this.#store = store;
  }

  list(): Promise<Preset[]> {
    return this.#store.list();
  }

  /** Takes the place of one with the same name. @throws BAD_REQUEST when there are {@link MAX_PRESETS} others */
  async save(preset: Preset): Promise<Preset[]> {
    const others = (await this.list()).filter(({ name }) => name !== preset.name);
    if (others.length >= MAX_PRESETS) throw tooMany();
    await this.#store.put(preset);
    return await this.list();
  }

  /** Idempotent. */
  async remove(name: string): Promise<Preset[]> {
    await this.#store.remove(name);
    return await this.list();
  }
}

function tooMany(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('ask.tooManyPresets', { most: MAX_PRESETS }),
    hint: say('ask.removePresets'),
    field: 'name',
  });
}
