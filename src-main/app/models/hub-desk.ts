import { QuarryError } from '../../../src-preload/contract/errors.ts';
import {
  type FoundHubModel,
  type HubModel,
  type HubPage,
  type HubQuantisation,
  type HubRepository,
  repositoryIdSchema,
} from '../../../src-preload/contract/hub.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Recent } from '../../base/recent.ts';
import type { Catalogue } from '../../models/catalogue/catalogue.ts';
import type { HttpClient } from '../../models/downloads/http-client.ts';
import type { ModelProfile } from '../../models/fit/model-profile.ts';
import { bestQuantisation } from '../../models/fit/recommend.ts';
import { chooseQuantisation } from '../../models/hub/choice.ts';
import { estimatedProfile, usualProfile } from '../../models/hub/estimate.ts';
import { HubHeaders } from '../../models/hub/headers.ts';
import type { Hub, HubSearch } from '../../models/hub/hub.ts';
import { type Listed, licenceOf, type Repository } from '../../models/hub/hub-answers.ts';
import { type HubFile, hubFiles, modelNameOf } from '../../models/hub/quantisations.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import type { WantedModel } from '../../models/wanted-model.ts';
import type { ModelFits } from './model-fits.ts';

export interface HubDeskOptions {
  hub: Hub;
  client: HttpClient;
  library: ModelLibrary;
  catalogue: Catalogue;
  fits: Pick<ModelFits, 'fitProfile'>;
  /** Unix milliseconds. Default `Date.now`. */
  now?: () => number;
}

/** Milliseconds for which what a repository has is believed: from the first look at it to its download. */
const FRESH_MS = 60_000;
/** Repositories that are kept for so long. */
const MOST_REPOSITORIES = 10;

/** A repository without its list of files, which is up to megabytes long: only the model files are kept. */
type Found = Omit<Repository, 'siblings'> & { files: HubFile[] };

/** Searches the hub, tells how what it has would run here, and what to download. */
export class HubDesk {
  readonly #options: HubDeskOptions;
  readonly #repositories: Recent<Found>;
  readonly #headers: HubHeaders;

  constructor(options: HubDeskOptions) {
    this.#options = options;
    this.#repositories = new Recent(FRESH_MS, options.now, MOST_REPOSITORIES);
    this.#headers = new HubHeaders(options);
  }

  /** One page of repositories. @throws see the contract's `models.search` */
  async search(wanted: HubSearch, signal?: AbortSignal): Promise<HubPage> {
    const { hub } = this.#options;
    const { models, next } = await hub.search(wanted, signal);
    return { host: hub.host, models: await Promise.all(models.map((one) => this.#found(one))), next };
  }

  async #found(listed: Listed): Promise<FoundHubModel> {
    const profile = usualProfile(listed);
    return { ...hubModel(listed), fit: profile ? await this.#options.fits.fitProfile(profile, undefined) : null };
  }

  /** @param exact whether the header of one of its files is read for a better fit @throws see the contract's `models.repository` */
  async repository(id: string, exact: boolean, signal?: AbortSignal): Promise<HubRepository> {
    const { endpoint, hasToken } = this.#options.hub;
    const repository = await this.#find(id, signal);
    const { files } = repository;
    const estimates = await this.#quantisations(repository, files, (file) => estimatedProfile(repository, file));
    const sample = estimates.find(({ recommended }) => recommended) ?? estimates.find(({ pieces }) => pieces === 1);
    const file = files.find(({ path }) => path === sample?.file);
    const header = exact && file ? await this.#headers.read(repository, file, signal) : undefined;
    const quantisations = header ? await this.#quantisations(repository, files, header) : estimates;
    const { architecture = null, context_length: contextLength = null } = repository.gguf ?? {};
    return {
      ...hubModel(repository),
      ...{ page: `${endpoint}/${id}`, tokenPage: `${endpoint}/settings/tokens`, hasToken },
      ...{ architecture, contextLength, estimated: header === undefined, quantisations },
    };
  }

  /**
   * What a download needs to know of one of a repository's files.
   * @param wanted its quantisation or path. Default: the one that suits this computer best
   * @throws BAD_REQUEST for an id that cannot be one, or a file that does not run here; MODEL_NOT_FOUND; as `repository`
   */
  async wanted(id: string, wanted: string | undefined, signal?: AbortSignal): Promise<WantedModel> {
    if (!repositoryIdSchema.safeParse(id).success) throw noId(id);
    const { quantisations } = await this.repository(id, false, signal);
    const repository = await this.#find(id, signal);
    const chosen = chooseQuantisation(id, quantisations, wanted);
    const { file, bytes, sha256, model: name } = chosen;
    const licence = licenceOf(repository);
    const url = this.#options.hub.fileUrl(repository, file);
    return { name, urls: [url], bytes, ...(sha256 && { sha256 }), ...(licence && { licence }) };
  }

  async #find(id: string, signal?: AbortSignal): Promise<Found> {
    const known = this.#repositories.get(id);
    if (known) return known;
    const { siblings, ...repository } = await this.#options.hub.repository(id, signal);
    return this.#repositories.set(id, { ...repository, files: hubFiles(siblings) });
  }

  async #quantisations(
    { id }: Found,
    files: readonly HubFile[],
    profileOf: (file: HubFile) => ModelProfile,
  ): Promise<HubQuantisation[]> {
    const { library, catalogue, fits } = this.#options;
    const own = await library.list();
    const nameAt = new Map(own.map(({ sha256, name }) => [sha256, name]));
    const names = new Set([...own.map(({ name }) => name), ...catalogue.entries.map(({ name }) => name)].map(lower));
    const all = await Promise.all(
      files.map(async ({ path, sha256, ...file }) => {
        const profile = profileOf({ path, sha256, ...file });
        const here = sha256 === undefined ? undefined : nameAt.get(sha256);
        return {
          ...{ name: file.name, file: path, bytes: file.bytes, pieces: file.pieces, sha256: sha256 ?? null },
          model: here ?? modelNameOf(id, path, (name) => names.has(lower(name))),
          installed: here !== undefined,
          fit: file.pieces === 1 ? await fits.fitProfile(profile, sha256) : null,
          bits: profile.bits,
        };
      }),
    );
    const best = bestQuantisation(all);
    return all.map(({ bits: _, ...quantisation }) => ({
      ...quantisation,
      recommended: quantisation.file === best?.file,
    }));
  }
}

function lower(name: string): string {
  return name.toLowerCase();
}

function hubModel(listed: Listed): HubModel {
  const { id, downloads, likes, lastModified, gated, gguf } = listed;
  const updatedAt = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
  return {
    ...{ id, downloads, likes },
    updatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    licence: licenceOf(listed),
    access: gated ? (gated === 'auto' ? 'terms' : 'approval') : 'open',
    parameters: gguf?.total ?? null,
  };
}

function noId(id: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('hub.noId', { name: id.slice(0, 200) }),
    hint: say('hub.asInAddress'),
    field: 'repository',
  });
}
