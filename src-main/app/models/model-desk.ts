import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  CatalogueModel,
  Download,
  LocalModel,
  OfferedModel,
  PullRequest,
  Sharing,
} from '../../../src-preload/contract/models.ts';
import { checkGguf } from '../../gguf/check-gguf.ts';
import { forgetShare } from '../../mesh/sharing/share-note.ts';
import type { Catalogue } from '../../models/catalogue/catalogue.ts';
import type { Downloads } from '../../models/downloads/downloads.ts';
import { recommend } from '../../models/fit/recommend.ts';
import type { ModelFile, ModelLibrary, Verification } from '../../models/library/library.ts';
import type { LongWork } from '../../models/library/long-work.ts';
import type { WantedModel } from '../../models/wanted-model.ts';
import { modelFromUrl } from '../../models/web-model.ts';
import type { Config } from '../../settings/config.ts';
import type { ModelsNode } from '../parts/sharing.ts';
import type { ModelFits } from './model-fits.ts';
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
  log: Logger;
}

/** Everything that a screen or a command may do with models. */
export class Models {
  readonly #parts: ModelsParts;

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  async list(): Promise<LocalModel[]> {
    const { library, config } = this.#parts;
    const [models, selected] = await Promise.all([library.list(), library.selected(config.model)]);
    return models.map((model) => ({ ...model, selected: model.path === selected?.path }));
  }

  /** @throws MODEL_NOT_FOUND naming what there is; a path is no name */
  async checkInstalled(name: string): Promise<void> {
    const { library } = this.#parts;
    const names = await library.names();
    if (names.includes(name)) return;
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: `There is no model «${name}» in the library.`,
      hint: `These are: ${names.join(', ')}.`,
      field: 'name',
    });
  }

  /** Takes a file into the library: progress, then the model. */
  async *import(
    { path, name }: { path: string; name?: string | undefined },
    signal?: AbortSignal,
  ): AsyncGenerator<ByteProgress | LocalModel, void, undefined> {
    const { library, config } = this.#parts;
    const model = yield* progressEvents((work) => library.import(path, name, work), signal);
    const selected = await library.selected(config.model);
    yield { ...model, selected: model.path === selected?.path };
  }

  /** @param contextSize tokens for one request. Default: the setting, else 8,192 */
  async catalogue(contextSize?: number): Promise<CatalogueModel[]> {
    const { catalogue, library, fits } = this.#parts;
    const names = new Set(await library.names());
    return await Promise.all(
      catalogue.entries.map(async (entry) => {
        const file = names.has(entry.name) ? await library.selected(entry.name) : undefined;
        const bytes = entry.bytes ?? file?.bytes ?? null;
        const sha256 = catalogue.sha256Of(entry) ?? null;
        const fit = await fits.fit(entry, file, contextSize);
        return { ...entry, bytes, sha256, url: catalogue.urlOf(entry), installed: names.has(entry.name), fit };
      }),
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
    const { downloads, library } = this.#parts;
    const wanted = await this.#wanted(request, signal);
    const taken = (await library.names()).find((name) => name.toLowerCase() === wanted.name.toLowerCase());
    if (taken === undefined) return await downloads.start(wanted, { from: this.#sources(request, wanted) });
    const here = await library.find(taken);
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
    const { library, catalogue } = this.#parts;
    const { origin } = await library.find(name);
    // What was imported under the name may be another file by right.
    const known = origin !== 'imported' && catalogue.has(name) ? catalogue.sha256Of(catalogue.find(name)) : undefined;
    yield yield* progressEvents((work) => library.verify(name, work, known), signal);
  }

  /** Deletes a model, and what was shared of it. */
  async remove(name: string): Promise<void> {
    const { library, network, config } = this.#parts;
    const { sha256 } = await library.find(name);
    await library.remove(name);
    if (network()) await network()?.sharing.forget(sha256);
    else await forgetShare(config.dataDir, sha256);
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

  /** Shares every model of the catalogue that is here, if the settings say so. */
  async seedAll(): Promise<void> {
    const { config, library, catalogue } = this.#parts;
    if (!config.sharing.seed) return;
    const names = (await library.names()).filter((name) => catalogue.has(name));
    for (const name of names) await this.seed(await library.find(name));
  }

  /** Shares a model of the catalogue, if the settings say so. Where that fails it is logged: it is nobody's request. */
  async seed(model: ModelFile): Promise<void> {
    const { config, log, network } = this.#parts;
    if (!config.sharing.seed || !network() || !this.#isKnown(model.sha256)) return;
    await this.#offer(model).catch((err: unknown) => log.warn({ model: model.name, err }, 'the model is not shared'));
  }

  /** What others share; looks around for `waitMs` milliseconds first. */
  async offers(waitMs: number, signal?: AbortSignal): Promise<OfferedModel[]> {
    const network = this.#network();
    await network.discovered();
    await sleep(waitMs, undefined, { signal });
    return network.sharing.offers().map((offer) => ({ ...offer, inCatalogue: this.#isKnown(offer.sha256) }));
  }

  /** Peers may only give what a hash or the catalogue names: the name that an address ends with says nothing. */
  #sources({ from, url }: PullRequest, { sha256 }: WantedModel): PullRequest['from'] {
    const { fromPeers } = this.#parts.config.models;
    return from === 'anywhere' && (!fromPeers || (url !== undefined && sha256 === undefined)) ? 'http' : from;
  }

  async #wanted({ name, url, sha256, trust }: PullRequest, signal?: AbortSignal): Promise<WantedModel> {
    const { catalogue } = this.#parts;
    if (url !== undefined) return this.#fromUrl(url, name, sha256);
    const known = sha256 ? catalogue.bySha256(sha256)?.name : name;
    if (known !== undefined && catalogue.has(known)) return catalogue.wanted(known);
    const offer = await this.#findOffer(sha256 ? { sha256 } : { name }, signal);
    if (!offer) return catalogue.wanted(name ?? sha256 ?? ''); // which says that there is none, and which name is near
    if (!offer.trusted && !trust) throw untrusted(offer);
    return { name: offer.name, urls: [], bytes: offer.bytes, sha256: offer.sha256, licence: offer.licence };
  }

  #fromUrl(url: string, name: string | undefined, sha256: string | undefined): WantedModel {
    const wanted = modelFromUrl(url, name);
    if (this.#parts.catalogue.has(wanted.name)) throw nameOfCatalogue(wanted.name);
    return { ...wanted, ...(sha256 && { sha256 }) };
  }

  /**
   * The offer that is meant, a trusted one before others.
   * @throws BAD_REQUEST when peers whom nobody trusts mean different files by the same name
   */
  async #findOffer(
    wanted: { name?: string | undefined; sha256?: string },
    signal?: AbortSignal,
  ): Promise<OfferedModel | undefined> {
    if (!this.#parts.network()) return undefined;
    for (const end = Date.now() + LOOK_AROUND_MS; Date.now() < end; ) {
      const offers = await this.offers(LOOK_AGAIN_MS, signal);
      const found = offers.filter((offer) => offer.sha256 === wanted.sha256 || offer.name === wanted.name);
      const trusted = found.find((offer) => offer.trusted);
      if (trusted) return trusted;
      if (new Set(found.map(({ sha256 }) => sha256)).size > 1) throw ambiguous(found);
      if (found[0]) return found[0];
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
    using _atRest = await downloads.hold();
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
    hint: `If you know that this is the file you want: quarry models pull ${sha256} --trust; or add a signer to sharing.trustedSigners.`,
  });
}

function ambiguous([first, ...others]: OfferedModel[]): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `Peers share ${others.length + 1} different files as «${first?.name}».`,
    hint: 'Look at them with: quarry models offers. Then pull the one you know by its SHA-256.',
    field: 'name',
  });
}

function nameOfCatalogue(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${name}» is the name of a model in the catalogue.`,
    hint: `Get that one (quarry models pull ${name}), or choose another name with --name.`,
    field: 'name',
  });
}
