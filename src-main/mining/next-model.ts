import { ignoring } from '../base/swallowed.ts';
import type { ModelLibrary } from '../models/library/library.ts';

/** Milliseconds for which the library is not looked at again. */
const FRESH_MS = 5_000;

export interface NextModelOptions {
  /** The settings of the same names. */
  config: { readonly backend: 'local' | 'remote'; readonly remote: { readonly model?: string | undefined } };
  /** What the settings name. */
  model: () => string | undefined;
  library: Pick<ModelLibrary, 'find'>;
  /** Milliseconds by a clock that is never set back. Default: performance.now. */
  now?: () => number;
}

/**
 * The model that the engine would load. Where no setting names it, the library is looked at in the background, every few
 * seconds while somebody asks: who asks gets what is known, and waits for no disk.
 */
export class NextModel {
  readonly #options: NextModelOptions;
  readonly #now: () => number;
  #found: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: NextModelOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Undefined until the library was looked at for the first time. */
  get name(): string | undefined {
    const { backend, remote } = this.#options.config;
    if (backend === 'remote') return remote.model;
    const model = this.#options.model();
    if (model !== undefined) return model;
    if (this.#now() - this.#lookedAt >= FRESH_MS) void this.#look();
    return this.#found;
  }

  async #look(): Promise<void> {
    this.#lookedAt = this.#now();
    const newest = await this.#options.library
      .find()
      .catch(ignoring('loading it says what is wrong; until then it has no name'));
    this.#found = newest?.name;
  }
}
