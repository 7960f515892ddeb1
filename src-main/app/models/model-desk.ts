import { realpath } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  CatalogueModel,
  DiskUse,
  Download,
  FoundModel,
  ImportedModel,
  LocalModel,
  OfferedModel,
  PullRequest,
  RemovedModel,
} from '../../../src-preload/contract/models.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { dataPath } from '../../base/data-folder.ts';
import { folderBytes } from '../../base/folder-bytes.ts';
import { ignoring } from '../../base/swallowed.ts';
import { forgetPrompts } from '../../inference/host/kept-prompts.ts';
import { strangersWords } from '../../mesh/sharing/seek-offer.ts';
import type { Catalogue } from '../../models/catalogue/catalogue.ts';
import type { Downloads } from '../../models/downloads/downloads.ts';
import { inOrder, recommend } from '../../models/fit/recommend.ts';
import type { ModelFile, ModelLibrary, Verification } from '../../models/library/library.ts';
import type { LongWork } from '../../models/library/long-work.ts';
import { findModels } from '../../models/library/other-apps.ts';
import type { WantedModel } from '../../models/wanted-model.ts';
import { modelFromUrl } from '../../models/wanted-model.ts';
import type { FixedConfig } from '../../settings/config.ts';
import type { HubDesk } from './hub-desk.ts';
import type { ModelFits } from './model-fits.ts';
import type { ModelShares } from './model-shares.ts';
import { type ByteProgress, progressEvents } from './progress-events.ts';

export interface ModelDeskOptions {
  config: FixedConfig;
  /** What the settings name. */
  model: () => string | undefined;
  library: ModelLibrary;
  catalogue: Catalogue;
  downloads: Downloads;
  shares: ModelShares;
  hub: Pick<HubDesk, 'wanted'>;
  fits: ModelFits;
  /** Paths of the models that are loaded now: they may not be removed. */
  loaded: () => readonly string[];
  /** What the mesh is offered now. */
  offered: () => readonly { name: string; loadMs?: number | undefined }[];
  /** Frees one that is loaded and that nobody uses, but for the node’s own. */
  free: (name: string) => Promise<unknown>;
}

/** What a screen or a command may do with the models of this machine, and with those that it could get. */
export class ModelDesk {
  readonly #options: ModelDeskOptions;

  constructor(options: ModelDeskOptions) {
    this.#options = options;
  }

  async list(): Promise<LocalModel[]> {
    const { library, model, offered } = this.#options;
    const [models, selected] = await Promise.all([library.list(), library.selected(model())]);
    const offers = new Map(offered().map(({ name, loadMs }) => [name, { loadMs }]));
    const listed = await Promise.all(models.map((file) => this.#localModel(file, selected)));
    return listed.map((each) => ({ ...each, ...(offers.has(each.name) && { offered: offers.get(each.name) }) }));
  }

  /**
   * @param field of the input that has the name. Default `name`
   * @throws MODEL_NOT_FOUND naming what there is; a path is no name
   */
  async checkInstalled(name: string, field = 'name'): Promise<void> {
    const { library } = this.#options;
    const names = await library.names();
    if (names.includes(name)) return;
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: say('library.notHere', { name }),
      hint: say('library.these', { names: names.join(', ') }),
      field,
    });
  }

  /** Takes a file into the library: progress, then the model. */
  async *import(
    { path, name }: { path: string; name?: string | undefined },
    signal?: AbortSignal,
  ): AsyncGenerator<ByteProgress | ImportedModel, void, undefined> {
    const { library, model } = this.#options;
    const imported = yield* progressEvents((work) => library.import(path, name, work), signal);
    const selected = await library.selected(model());
    yield { ...(await this.#localModel(imported, selected)), taken: imported.taken };
  }

  /** Takes a file of another app into the library where it is: progress, then the model. */
  async *useInPlace(
    { path, name }: { path: string; name?: string | undefined },
    signal?: AbortSignal,
  ): AsyncGenerator<ByteProgress | ImportedModel, void, undefined> {
    const { library, model } = this.#options;
    const used = yield* progressEvents((work) => library.useInPlace(path, name, work), signal);
    yield { ...(await this.#localModel(used, await library.selected(model()))), taken: used.taken };
  }

  /** What Ollama and LM Studio have on this computer. */
  async found(): Promise<FoundModel[]> {
    const [found, own] = await Promise.all([findModels(), this.#options.library.list()]);
    const nameAt = new Map(own.map(({ path, name }) => [path, name]));
    return await Promise.all(
      found.map(async (model) => {
        const real = await realpath(model.path).catch(ignoring('it is gone in between'));
        return { ...model, installed: (real && nameAt.get(real)) ?? null };
      }),
    );
  }

  /** What runs here first, see {@link inOrder}. @param contextSize tokens for one request. Default: the setting, else 8,192 */
  async catalogue(contextSize?: number): Promise<CatalogueModel[]> {
    const { catalogue, library, fits } = this.#options;
    const names = new Set(await library.names());
    const models = await Promise.all(
      catalogue.entries.map(async (entry) => {
        const file = names.has(entry.name) ? await library.selected(entry.name) : undefined;
        const bytes = entry.bytes ?? file?.bytes ?? null;
        const sha256 = catalogue.sha256Of(entry) ?? null;
        const fit = await fits.fit(entry, file, { contextSize });
        const known = { bytes, sha256, url: catalogue.urlOf(entry), installed: names.has(entry.name), fit };
        return { ...entry, ...known, ...catalogue.saidOf(entry) };
      }),
    );
    return inOrder(models);
  }

  async recommend(use: CatalogueModel['use'], contextSize?: number): Promise<CatalogueModel[]> {
    return recommend(await this.catalogue(contextSize), use);
  }

  /**
   * Starts a download, or goes on with one; of a model that is here already, says so.
   * @throws MODEL_NOT_FOUND, BAD_REQUEST, UNAUTHORIZED when nobody who is trusted vouches for it
   */
  async pull(request: PullRequest, signal?: AbortSignal): Promise<Download> {
    const { downloads, library } = this.#options;
    const wanted = await this.#wanted(request, signal);
    const taken = (await library.names()).find((name) => name.toLowerCase() === wanted.name.toLowerCase());
    if (taken === undefined) return await downloads.start(wanted, { from: this.#sources(request, wanted) });
    const here = await library.find(taken);
    if (wanted.sha256 !== undefined && wanted.sha256 !== here.sha256) throw nameTaken(here.name);
    return complete(here);
  }

  /** Hashes a model again: progress, then the finding. */
  async *verify(name: string, signal?: AbortSignal): AsyncGenerator<ByteProgress | Verification, void, undefined> {
    const { library, catalogue } = this.#options;
    const { origin } = await library.find(name);
    // What was imported under the name may be another file by right.
    const known = origin !== 'imported' && catalogue.has(name) ? catalogue.sha256Of(catalogue.find(name)) : undefined;
    yield yield* progressEvents((work) => library.verify(name, work, known), signal);
  }

  /** Deletes a model, and what was shared of it. */
  async remove(name: string): Promise<RemovedModel> {
    const { library, shares, loaded, free } = this.#options;
    const file = await library.find(name);
    const { frees, place } = await this.#localModel(file, undefined);
    await free(name);
    await library.remove(name, loaded);
    await shares.forget(file.sha256);
    const message =
      place === 'outside'
        ? say('library.removedOutside', { name, path: file.path })
        : say(place === 'linked' ? 'library.removedLinked' : 'library.removed', { name, bytes: file.bytes });
    return { freed: frees, ...told({ message }) };
  }

  /**
   * Moves the library to another folder: progress.
   * @throws BAD_REQUEST while downloads run, or when the settings name the folder
   */
  move(folder: string, signal?: AbortSignal): AsyncGenerator<ByteProgress, void, undefined> {
    return progressEvents((work) => this.#move(folder, work), signal);
  }

  async diskUse(): Promise<DiskUse> {
    const { library, config } = this.#options;
    return { ...(await library.diskUse()), prompts: await folderBytes(dataPath(config.dataDir, 'keptPrompts')) };
  }

  async forgetPrompts(): Promise<void> {
    await forgetPrompts(dataPath(this.#options.config.dataDir, 'keptPrompts'));
  }

  async #localModel(file: ModelFile, selected: ModelFile | undefined): Promise<LocalModel> {
    const { links, outside, ...model } = file;
    const others = links - (links > 1 && (await this.#options.shares.holds(file)) ? 2 : 1);
    const place = file.tiny ? 'built-in' : outside ? 'outside' : others > 0 ? 'linked' : 'here';
    return { ...model, selected: file.path === selected?.path, place, frees: place === 'here' ? file.bytes : 0 };
  }

  /** Peers may only give what a hash or the catalogue names: the name that an address ends with says nothing. */
  #sources({ from, url, repository }: PullRequest, { sha256 }: WantedModel): PullRequest['from'] {
    const { fromPeers } = this.#options.config.models;
    const onlyNamed = (url ?? repository) !== undefined && sha256 === undefined;
    return from === 'anywhere' && (!fromPeers || onlyNamed) ? 'http' : from;
  }

  async #wanted(request: PullRequest, signal?: AbortSignal): Promise<WantedModel> {
    const { name, url, repository, quantisation, sha256 } = request;
    const { catalogue, hub } = this.#options;
    if (repository !== undefined) return await hub.wanted(repository, quantisation, signal);
    if (url !== undefined) return this.#fromUrl(url, name, sha256);
    const known = sha256 ? catalogue.bySha256(sha256)?.name : name;
    if (known !== undefined && catalogue.has(known)) return catalogue.wanted(known);
    const offer = await this.#options.shares.find(sha256 ? { sha256 } : { name }, signal);
    if (!offer) return catalogue.wanted(name ?? sha256 ?? ''); // which says that there is none, and which name is near
    return offer.trusted ? trustedFile(offer, name) : await this.#strangersFile(offer, request);
  }

  /** Strangers may say anything that the hash does not hold them to: neither length nor licence is theirs to say, nor a name that nobody asked for. */
  async #strangersFile({ sha256, ...offer }: OfferedModel, request: PullRequest): Promise<WantedModel> {
    const { catalogue, library } = this.#options;
    const { name, trust } = request;
    if (!trust) throw untrusted(name ?? sha256, { ...offer, sha256 });
    if (name !== undefined && catalogue.has(name)) throw nameOfCatalogue(name);
    const here = (await library.list()).find((model) => model.sha256 === sha256);
    return { name: name ?? here?.name ?? `model-${sha256.slice(0, 8)}`, urls: [], sha256 };
  }

  #fromUrl(url: string, name: string | undefined, sha256: string | undefined): WantedModel {
    const wanted = modelFromUrl(url, name);
    if (this.#options.catalogue.has(wanted.name)) throw nameOfCatalogue(wanted.name);
    return { ...wanted, ...(sha256 && { sha256 }) };
  }

  async #move(folder: string, work: LongWork): Promise<void> {
    const { downloads, library, config } = this.#options;
    if (config.models.folder !== undefined) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: say('library.folderSet', { folder: config.models.folder }),
        hint: say('library.moveYourself'),
      });
    }
    using _atRest = await downloads.hold();
    await library.moveTo(folder, work);
  }
}

/** As a trusted signer describes it. */
function trustedFile({ name, bytes, sha256, licence }: OfferedModel, called = name): WantedModel {
  return { name: called, urls: [], bytes, sha256, licence };
}

/** What a download would say that has nothing left to do. */
function complete({ name, bytes }: ModelFile): Download {
  const still = { bytesPerSecond: 0, secondsLeft: null, sources: [], problem: null, nextTryAt: null };
  return { name, state: 'done', bytes, received: bytes, ...still };
}

function nameTaken(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.another', { name }),
    hint: say('library.removeFirst', { name }),
    field: 'name',
  });
}

/** @param wanted a name or a SHA-256, as it was asked for */
function untrusted(wanted: string, offer: OfferedModel): QuarryError {
  return new QuarryError({
    code: 'UNAUTHORIZED',
    message: say('library.untrusted', { wanted, ...strangersWords(offer) }),
    hint: say('library.trust'),
  });
}

function nameOfCatalogue(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.catalogueName', { name }),
    hint: say('library.getThatOne', { name }),
    field: 'name',
  });
}
