import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ModelDetails } from '../../../src-preload/contract/models.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { nearestOf } from '../../base/nearest.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type CheckedGguf, checkGguf } from '../../gguf/model-file.ts';
import type { Catalogue } from '../../models/catalogue/catalogue.ts';
import type { CatalogueEntry } from '../../models/catalogue/catalogue-schema.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import type { ModelFits, TriedSettings } from './model-fits.ts';

export interface ModelDetailsOptions {
  library: ModelLibrary;
  catalogue: Catalogue;
  fits: ModelFits;
  /** What the settings name. */
  model: () => string | undefined;
}

/** Where something is known of a model from. */
interface Known {
  entry: CatalogueEntry | undefined;
  file: ModelFile | undefined;
  checked: CheckedGguf | undefined;
}

/** Everything that is known of one model: of its file, of the catalogue, of this machine. */
export class ModelDetailsDesk {
  readonly #options: ModelDetailsOptions;

  constructor(options: ModelDetailsOptions) {
    this.#options = options;
  }

  /**
   * A model of the library, else of the catalogue.
   * @param tried how it is to run; what is not said is as the settings say
   * @throws MODEL_NOT_FOUND with the name that was probably meant
   */
  async show(name: string, tried?: TriedSettings): Promise<ModelDetails> {
    const { library, catalogue } = this.#options;
    const names = await library.names();
    const here = names.includes(name);
    const entry = catalogue.has(name) ? catalogue.find(name) : undefined;
    if (!here && !entry) throw nowhere(name, [...names, ...catalogue.entries.map((one) => one.name)]);
    const file = here ? await library.find(name) : undefined;
    const checked = file && (await checkGguf(file.path).catch(ignoring('the catalogue may know it')));
    const { title, description, licence } = entry ?? {};
    return {
      name,
      ...(entry && { title, description, url: catalogue.urlOf(entry), ...catalogue.saidOf(entry) }),
      licence: file?.licence ?? licence,
      bytes: file?.bytes ?? entry?.bytes ?? null,
      sha256: file?.sha256 ?? (entry && catalogue.sha256Of(entry)) ?? null,
      file: file ? await this.#place(file) : null,
      facts: factsOf(checked, entry),
      fit: await this.#fit({ entry, file, checked }, tried),
    };
  }

  async #place({ name, path, origin, tiny }: ModelFile): Promise<ModelDetails['file']> {
    const { library, model } = this.#options;
    const [selected, came] = await Promise.all([library.selected(model()), library.provenance(name)]);
    return { path, origin, tiny, selected: selected?.path === path, ...came };
  }

  async #fit({ entry, file, checked }: Known, tried: TriedSettings | undefined): Promise<ModelDetails['fit']> {
    const { fits } = this.#options;
    if (entry) return await fits.fit(entry, file, tried);
    return file && checked ? await fits.fitFile(checked, file.sha256, tried) : null;
  }
}

function nowhere(name: string, known: string[]): QuarryError {
  const meant = nearestOf(name, known);
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('library.nowhere', { name }),
    hint: meant ? say('library.meant', { meant }) : say('library.seeCatalogue'),
    field: 'name',
  });
}

/** The file is right about more than a catalogue is. */
function factsOf(checked: CheckedGguf | undefined, entry: CatalogueEntry | undefined): ModelDetails['facts'] {
  if (checked) {
    const { architecture, parameters, quantisation, contextLength, layers, chatTemplate, embeddingModel } =
      checked.facts;
    return { architecture, parameters, quantisation, contextLength, layers, chatTemplate, embeddings: embeddingModel };
  }
  if (!entry) return null;
  const { parameters, quantisation, contextLength, use } = entry;
  return { parameters, quantisation, contextLength, embeddings: use === 'embedding' };
}
