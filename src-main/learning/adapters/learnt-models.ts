import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import { isVersionName } from './version-id.ts';
import type { Versions } from './versions.ts';

/** With what a question is answered: an adapter's file, and the id and name of its version, or none of them: the model as it is. */
export interface LearntChoice {
  path: string | null;
  id: string | null;
  /** `personal@3` */
  name: string | null;
}

export interface LearntModelsOptions {
  versions: Pick<Versions, 'adapter' | 'adapters' | 'lineage' | 'resolve'>;
  /** As it is set now: whether own questions are answered with what was learnt, and by which adapter. */
  choice: () => { use: boolean; adapter: string };
}

/** By this name the model is asked as it is, whatever was learnt. */
export const PLAIN_MODEL = 'base';
const AS_IT_IS: LearntChoice = { path: null, id: null, name: null };
/** No file's SHA-256. */
const NO_FILE = '';
/** Models of the mesh are called so, too: `mistral-small-latest`. */
const LATEST = '-latest';

/** Which version answers a request, by the name of the model that it is asked of. */
export class LearntModels {
  readonly #options: LearntModelsOptions;
  /** Adapters by their names, with the model's file that they belong to. */
  #adapters = new Map<string, { base: string; latest: string | null }>();

  constructor(options: LearntModelsOptions) {
    this.#options = options;
  }

  /** Looks which adapters there are: at the start, and when they change. */
  async refresh(): Promise<void> {
    const rows = await this.#options.versions.adapters();
    this.#adapters = new Map(rows.map(({ name, base, latest }) => [name, { base, latest }]));
  }

  /** Whether a model's name means an adapter, or one of its versions, or the model without. */
  isName(model: string): boolean {
    const name = model.endsWith(LATEST) ? model.slice(0, -LATEST.length) : model;
    return model === PLAIN_MODEL || this.#adapters.has(name) || isVersionName(model);
  }

  /** Names under which what was learnt by a model can be asked. @param base SHA-256 of its file */
  names(base: string | undefined): string[] {
    const own = [...this.#adapters].filter(([, adapter]) => adapter.base === base && adapter.latest !== null);
    return own.map(([name]) => `${name}@latest`);
  }

  /**
   * With what own questions are answered that name no version. An adapter belongs to one model: with another, that one answers as it is.
   * @param base SHA-256 of the file of the model that answers; undefined where none is known
   */
  async inUse(base: string | undefined): Promise<LearningStatus['inUse']> {
    const { versions, choice } = this.#options;
    const { use, adapter } = choice();
    const known = await versions.adapter(adapter);
    if (base === undefined || !known) return { version: null, belongsTo: null };
    if (known.base !== base) return { version: null, belongsTo: known.base_name };
    const [latest] = use && known.latest !== null ? await versions.lineage(known.latest, 1) : [];
    return { version: latest ? `${latest.name}@${latest.number}` : null, belongsTo: null };
  }

  /**
   * @param model the name that was asked for; undefined where the loaded model itself was: then by the settings
   * @param base SHA-256 of the loaded model's file; undefined where it runs elsewhere
   * @throws ADAPTER_NOT_FOUND; ADAPTER_INVALID where it belongs to another model, or its file is not what it was
   */
  async choose(model: string | undefined, base: string | undefined): Promise<LearntChoice> {
    const { versions, choice } = this.#options;
    if (model === PLAIN_MODEL) return AS_IT_IS;
    const { use, adapter } = choice();
    if (model === undefined && (!use || base === undefined || this.#adapters.get(adapter)?.base !== base))
      return AS_IT_IS;
    // A model that runs elsewhere has no file here: whoever names a version hears that it cannot be had with that one.
    const { version, path } = await versions.resolve(model ?? adapter, base ?? NO_FILE);
    return { path, id: version?.id ?? null, name: version && `${version.name}@${version.number}` };
  }
}
