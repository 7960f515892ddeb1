import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type {
  CatalogueModel,
  Download,
  LocalModel,
  OfferedModel,
  PullRequest,
  Sharing,
} from '../../src-preload/contract/models.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Downloads } from '../models/downloads/downloads.ts';
import { recommend } from '../models/fit/recommend.ts';
import { checkGguf } from '../models/gguf/check-gguf.ts';
import type { ModelFile, ModelLibrary, Verification } from '../models/library.ts';
import type { LongWork } from '../models/long-work.ts';
import type { WantedModel } from '../models/wanted-model.ts';
import { modelFromUrl } from '../models/web-model.ts';
import type { Config } from './config.ts';
import type { ModelFits } from './model-fits.ts';
import type { ModelsNode } from './models-node.ts';
import { type ByteProgress, progressEvents } from './progress-events.ts';

/** Milliseconds to look for peers that offer what the catalogue does not know. */
const LOOK_AROUND_MS = 8_000;
const LOOK_AGAIN_MS = 200;

export interface ModelsParts {
  config: Config;
  library: ModelLibrary;
  catalogue: Catalogue;
  downloads: Downloads;
  fits: ModelFits;
  /** This node's part in the models network; absent where a command did not ask for it. */
  network: () => ModelsNode | undefined;
}

/** Everything that a screen or a command may do with models. */
export class Models {
  readonly #parts: ModelsParts;

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  async list(): Promise<LocalModel[]> {
    const { library, config } = this.#parts;
    const [models, selected] = await Promise.all([library.list(), library.find(config.model).catch(() => undefined)]);
    return models.map((model) => ({ ...model, selected: model.path === selected?.path }));
  }

  async import({ path, name }: { path: string; name?: string | undefined }, signal?: AbortSignal): Promise<LocalModel> {
    const { name: imported } = await this.#parts.library.import(path, name, { ...(signal && { signal }) });
    const model = (await this.list()).find((candidate) => candidate.name === imported);
    if (model) return model;
    throw new QuarryError({ code: 'MODEL_NOT_FOUND', message: `The model ${imported} vanished after its import.` });
  }

  /** @param contextSize tokens for one request. Default: the setting, else 8,192 */
  async catalogue(contextSize?: number): Promise<CatalogueModel[]> {
    const { catalogue, library, fits } = this.#parts;
    const files = new Map((await library.list()).map((file) => [file.name, file]));
    return await Promise.all(
      catalogue.entries.map(async (entry) => ({
        ...entry,
        bytes: entry.bytes ?? files.get(entry.name)?.bytes ?? null,
        sha256: catalogue.sha256Of(entry) ?? null,
        url: catalogue.urlOf(entry),
        installed: files.has(entry.name),
        fit: await fits.fit(entry, files.get(entry.name), contextSize),
      })),
    );
  }

  async recommend(use: CatalogueModel['use'], contextSize?: number): Promise<CatalogueModel[]> {
    return recommend(await this.catalogue(contextSize), use);
  }

  /**
   * Starts a download, or goes on with one; of a model that is here already, says so.
   * @throws MODEL_NOT_FOUND, BAD_REQUEST, UNAUTHORIZED when nobody who is trusted vouches for it
   */
  async pull(request: PullRequest, signal?: AbortSignal): Promise<Download> {
    const { downloads, library, config } = this.#parts;
    const from = config.models.fromPeers || request.from !== 'anywhere' ? request.from : 'http';
    const wanted = await this.#wanted(request, signal);
    const here = (await library.list()).find(({ name }) => name.toLowerCase() === wanted.name.toLowerCase());
    if (!here) return await downloads.start(wanted, { from });
    if (wanted.sha256 !== undefined && wanted.sha256 !== here.sha256) throw nameTaken(here.name);
    return complete(here);
  }

  get downloads(): Downloads {
    return this.#parts.downloads;
  }

  /** All downloads, now and whenever one changes. */
  watchDownloads(signal: AbortSignal = new AbortController().signal): AsyncGenerator<Download[], void, undefined> {
    return this.#parts.downloads.watch(signal);
  }

  /** Hashes a model again: progress, then the finding. */
  async *verify(name: string, signal?: AbortSignal): AsyncGenerator<ByteProgress | Verification, void, undefined> {
    yield yield* progressEvents((work) => this.#parts.library.verify(name, work), signal);
  }

  /** Deletes a model, and what was shared of it. */
  async remove(name: string): Promise<void> {
    await this.#parts.library.remove(name);
    await this.#parts.network()?.sharing.unshare(name);
  }

  /**
   * Moves the library to another folder: progress.
   * @throws BAD_REQUEST while downloads run, or when the settings name the folder
   */
  move(folder: string, signal?: AbortSignal): AsyncGenerator<ByteProgress, void, undefined> {
    return progressEvents((work) => this.#move(folder, work), signal);
  }

  diskUse() {
    return this.#parts.library.diskUse();
  }

  sharing(): Sharing {
    return { seed: this.#parts.config.sharing.seed, ...this.#network().sharing.status() };
  }

  async share(name: string): Promise<Sharing> {
    const { library } = this.#parts;
    await this.#offer(await library.find(name));
    return this.sharing();
  }

  async unshare(name: string): Promise<Sharing> {
    await this.#network().sharing.unshare(name);
    return this.sharing();
  }

  /** Shares every model of the catalogue that is here, if the settings say so. Goes on when one cannot be shared. */
  async seedAll(onProblem: (name: string, error: unknown) => void): Promise<void> {
    const { config, library } = this.#parts;
    if (!config.sharing.seed) return;
    for (const model of await library.list()) {
      if (this.#isKnown(model.sha256)) await this.#offer(model).catch((error: unknown) => onProblem(model.name, error));
    }
  }

  /** What others share; looks around for `waitMs` milliseconds first. */
  async offers(waitMs: number, signal?: AbortSignal): Promise<OfferedModel[]> {
    const network = this.#network();
    await network.discovered();
    await sleep(waitMs, undefined, { signal });
    return network.sharing.offers().map((offer) => ({ ...offer, inCatalogue: this.#isKnown(offer.sha256) }));
  }

  async #wanted({ name, url, sha256, trust }: PullRequest, signal?: AbortSignal): Promise<WantedModel> {
    const { catalogue } = this.#parts;
    if (url !== undefined) return { ...modelFromUrl(url, name), ...(sha256 && { sha256 }) };
    const known = sha256 ? catalogue.bySha256(sha256)?.name : name;
    if (known !== undefined && catalogue.entries.some((entry) => entry.name === known)) return catalogue.wanted(known);
    const offer = await this.#findOffer(
      (candidate) => (sha256 ? candidate.sha256 === sha256 : candidate.name === name),
      signal,
    );
    if (!offer) return catalogue.wanted(name ?? sha256 ?? ''); // which says that there is none, and which name is near
    if (!offer.trusted && !trust) throw untrusted(offer);
    return { name: offer.name, urls: [], bytes: offer.bytes, sha256: offer.sha256, licence: offer.licence };
  }

  /** The first offer that fits, trusted ones before others. */
  async #findOffer(fits: (offer: OfferedModel) => boolean, signal?: AbortSignal): Promise<OfferedModel | undefined> {
    if (!this.#parts.network()) return undefined;
    for (const end = Date.now() + LOOK_AROUND_MS; Date.now() < end; ) {
      const found = (await this.offers(LOOK_AGAIN_MS, signal)).filter(fits);
      if (found.length > 0) return found.find(({ trusted }) => trusted) ?? found[0];
    }
    return undefined;
  }

  async #offer({ name, path, bytes, sha256, tiny, licence = 'unknown' }: ModelFile): Promise<void> {
    const { sharing } = this.#network();
    if (tiny)
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'Everybody has the built-in model.', field: 'name' });
    const { quantisation, contextLength } = (await checkGguf(path)).facts;
    await sharing.share({ name, path, bytes, sha256, licence, quantisation, contextLength });
  }

  async #move(folder: string, work: LongWork): Promise<void> {
    const { downloads, library, config } = this.#parts;
    if (config.models.folder !== undefined) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: `The setting models.folder says that the models are in ${config.models.folder}.`,
        hint: 'Stop the node, move that folder yourself, and change the setting.',
      });
    }
    if (downloads.list().some(({ state }) => ['waiting', 'downloading', 'verifying'].includes(state))) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: 'Models cannot be moved while one is being downloaded.',
        hint: 'Pause the downloads first: quarry models pause NAME.',
      });
    }
    await library.moveTo(folder, work);
  }

  #isKnown(sha256: string): boolean {
    return this.#parts.catalogue.bySha256(sha256) !== undefined;
  }

  #network(): ModelsNode {
    const network = this.#parts.network();
    if (network) return network;
    throw new QuarryError({
      code: 'NOT_RUNNING',
      message: 'The node that runs on this data folder is not on the models network.',
      hint: 'Set models.fromPeers = true, or sharing.seed = true, and start it again.',
    });
  }
}

/** What a download would say that has nothing left to do. */
function complete({ name, bytes }: ModelFile): Download {
  const still = { bytesPerSecond: 0, secondsLeft: null, sources: [], problem: null };
  return { name, state: 'done', bytes, received: bytes, ...still };
}

function nameTaken(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `Another model named «${name}» is in the library.`,
    hint: `Remove it first (quarry models remove ${name}), or download under another name: quarry models add URL --name NAME.`,
    field: 'name',
  });
}

function untrusted({ name, sha256, signers }: OfferedModel): QuarryError {
  return new QuarryError({
    code: 'UNAUTHORIZED',
    message: `Only ${signers.length === 1 ? 'a peer' : 'peers'} whom you have not listed as trusted vouch for «${name}» (SHA-256 ${sha256}).`,
    hint: 'If you know that this is the file you want, add --trust; or add a signer to sharing.trustedSigners.',
  });
}
