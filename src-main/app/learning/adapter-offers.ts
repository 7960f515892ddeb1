import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OfferedAdapter } from '../../../src-preload/contract/learning-sharing.ts';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { badName, otherBase } from '../../learning/adapters/adapter-problems.ts';
import { isAdapterName } from '../../learning/adapters/version-id.ts';
import type { AdapterBase } from '../../learning/adapters/version-intake.ts';
import type { Versions } from '../../learning/adapters/versions.ts';
import type { SharingNetwork } from '../../mesh/sharing/model-sharing.ts';
import { seekOffers, signersOf, strangersWords } from '../../mesh/sharing/seek-offer.ts';
import type { ModelFile } from '../../models/library/library.ts';
import type { WantedAdapter, WantedModel } from '../../models/wanted-model.ts';

export interface AdapterOffersOptions {
  versions: Pick<Versions, 'adapter' | 'byHash' | 'intake'>;
  /** Those of the library, and the one that is set, wherever it lies. */
  models: () => Promise<Pick<ModelFile, 'path' | 'sha256' | 'name'>[]>;
  /** One of them as adapters know it. */
  baseOf: (file: Pick<ModelFile, 'path' | 'sha256' | 'name'>) => Promise<AdapterBase>;
  /** Absent on a node that is not on the models network. */
  network: SharingNetwork | undefined;
  /** @throws NOT_RUNNING where there is no network */
  needNetwork: () => SharingNetwork;
}

/** Which version is wanted of what others share, and how it is to be taken in. */
export interface WantedOffer {
  /** SHA-256 of its file, or what it is called there: `personal@3`. */
  version: string;
  /** Of which adapter it is to be a version here. Default: as it is called there, unless only strangers call it so. */
  adapter?: string | undefined;
  /** Name of the model here that it is for. Default: the only one that it is offered for. */
  model?: string | undefined;
  /** Take it although no trusted signer vouches for it. */
  trust: boolean;
}

/** What others share of what their models have learnt, and how it comes here: hostile until it has passed the checks of an import. */
export class AdapterOffers {
  readonly #options: AdapterOffersOptions;

  constructor(options: AdapterOffersOptions) {
    this.#options = options;
  }

  /** What others share, see {@link nearestFirst}; looks around for `waitMs` milliseconds first. */
  async list(waitMs: number, signal?: AbortSignal): Promise<{ peers: number; offers: OfferedAdapter[] }> {
    const { versions, models: list, needNetwork } = this.#options;
    const network = needNetwork();
    await network.discovered();
    await sleep(waitMs, undefined, { signal });
    const offers = network.sharing.adapterOffers();
    const [models, own] = offers.length > 0 ? await Promise.all([list(), versions.byHash()]) : [[], new Map()];
    const nameOf = new Map(models.map(({ sha256, name }) => [sha256, name]));
    const found = offers.map((offer) => ({
      ...offer,
      baseHere: nameOf.get(offer.base) ?? null,
      here: own.get(offer.sha256) ?? null,
    }));
    return { peers: network.sharing.peers, offers: found.sort(nearestFirst) };
  }

  /**
   * What to download so that a version comes here.
   * @throws MODEL_NOT_FOUND, ADAPTER_NOT_FOUND, ADAPTER_INVALID, BAD_REQUEST, UNAUTHORIZED: see `learning.fetch` of the contract
   */
  async wanted({ version, adapter, model, trust }: WantedOffer, signal?: AbortSignal): Promise<WantedModel> {
    const wanted = version.toLowerCase();
    const byHash = hexPattern(32).test(wanted);
    const offer = byHash ? await this.#byHash(wanted, model, signal) : await this.#byName(version, model, signal);
    const { bytes, sha256, base, signers, trusted } = offer;
    // What is sought by its SHA-256 may be called anything by strangers, also like an adapter that is here.
    const called = byHash && !trusted ? `fetched-${sha256.slice(0, 8)}` : offer.name;
    const name = adapter ?? called;
    if (offer.here !== null) throw isHere(version, offer.here);
    if (!isAdapterName(name)) throw badName(name);
    if (offer.baseHere === null) throw baseMissing(offer);
    await this.#checkBase(name, base);
    if (!trusted && !trust) throw untrusted(version, offer);
    const { sharing } = this.#options.needNetwork();
    const from = signers.find((signer) => sharing.trusts(signer)) ?? signers[0];
    if (from === undefined) throw notOffered(version, model);
    const download = `adapter-${sha256.slice(0, 16)}`;
    return { name: download, urls: [], ...(trusted && { bytes }), sha256, adapter: { name, base, from } };
  }

  /**
   * Takes in a file that came whole, with the SHA-256 that it was offered under; it is gone then.
   * @throws MODEL_NOT_FOUND when the model that it belongs to is no longer here; ADAPTER_INVALID, UNSUPPORTED, DISK_FULL
   */
  async take(path: string, { name, base, from }: WantedAdapter, sha256: string): Promise<void> {
    const { versions, models, baseOf, network } = this.#options;
    const file = (await models()).find((model) => model.sha256 === base);
    if (!file) throw baseMissing({ base });
    await this.#checkBase(name, base);
    // A kill may have come after it was taken in.
    if (!(await versions.byHash()).has(sha256)) {
      const version = { name, base: await baseOf(file), use: false };
      await versions.intake.fetched(path, version, { from, sha256 }).catch((error: unknown) => {
        if (error instanceof QuarryError && error.code === 'ADAPTER_INVALID')
          network?.sharing.denyAdapter(sha256, base);
        throw error;
      });
    }
    await rm(path, { force: true });
  }

  /** @throws ADAPTER_INVALID when there is an adapter of that name, of another model */
  async #checkBase(name: string, base: string): Promise<void> {
    const known = await this.#options.versions.adapter(name);
    if (known && known.base !== base) throw otherBase(name, known.base_name);
  }

  /** @throws ADAPTER_NOT_FOUND; BAD_REQUEST when it is offered for several models */
  async #byHash(sha256: string, model?: string, signal?: AbortSignal): Promise<OfferedAdapter> {
    return theOne(sha256, await this.#seek((offer) => offer.sha256 === sha256, model, signal), model);
  }

  /** @throws as {@link #byHash}, and BAD_REQUEST when strangers call several files so */
  async #byName(wanted: string, model?: string, signal?: AbortSignal): Promise<OfferedAdapter> {
    const found = await this.#seek(({ name, number }) => `${name}@${number}` === wanted, model, signal);
    const files = new Set(found.map(({ sha256 }) => sha256)).size;
    if (files > 1) throw ambiguous(wanted, files);
    return theOne(wanted, found, model);
  }

  async #seek(means: (offer: OfferedAdapter) => boolean, model?: string, signal?: AbortSignal) {
    const isFor = ({ baseHere }: OfferedAdapter) => model === undefined || baseHere === model;
    const look = async (waitMs: number) => (await this.list(waitMs, signal)).offers;
    return await seekOffers(look, (offer) => means(offer) && isFor(offer));
  }
}

/**
 * One offer of those of the same file, with all who make it. A stranger may offer it for any model: only models that are here are a choice.
 * @throws ADAPTER_NOT_FOUND where there is none; BAD_REQUEST where they are for several models that are here
 */
function theOne(wanted: string, found: readonly OfferedAdapter[], model?: string): OfferedAdapter {
  const here = found.filter(({ baseHere }) => baseHere !== null);
  const [first] = here.length > 0 ? here : found;
  if (!first) throw notOffered(wanted, model);
  const models = new Set(here.map(({ baseHere }) => baseHere));
  if (models.size > 1) throw severalBases(wanted, [...models].join(', '), models.size);
  return { ...first, signers: signersOf(found.filter(({ base }) => base === first.base)) };
}

/** What is vouched for, then what there is a model for, then what most have: strangers can make any number. */
function nearestFirst(one: OfferedAdapter, other: OfferedAdapter): number {
  const nearness = ({ trusted, baseHere }: OfferedAdapter) => (trusted ? 2 : 0) + (baseHere === null ? 0 : 1);
  return nearness(other) - nearness(one) || other.seeders - one.seeders;
}

const notOffered = (wanted: string, model: string | undefined) =>
  new QuarryError({
    code: 'ADAPTER_NOT_FOUND',
    message:
      model === undefined ? say('adapters.notOffered', { wanted }) : say('adapters.notOfferedFor', { wanted, model }),
    hint: say('adapters.notOffered.hint'),
    field: 'version',
  });

const ambiguous = (wanted: string, count: number) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.severalOffered', { wanted, count }),
    hint: say('adapters.severalOffered.hint'),
    field: 'version',
  });

const severalBases = (wanted: string, models: string, count: number) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.severalBases', { wanted, count, models }),
    hint: say('adapters.severalBases.hint'),
    field: 'model',
  });

const isHere = (version: string, here: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.hereAlready', { version, here }),
    field: 'version',
  });

const baseMissing = ({ base, baseName }: Pick<OfferedAdapter, 'base'> & Partial<OfferedAdapter>) =>
  new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message:
      baseName === undefined
        ? say('adapters.baseGone', { sha256: base })
        : say('adapters.baseMissing', { model: baseName, sha256: base }),
    hint: say('adapters.baseMissing.hint'),
  });

const untrusted = (version: string, offer: OfferedAdapter) =>
  new QuarryError({
    code: 'UNAUTHORIZED',
    message: say('adapters.untrusted', { version, ...strangersWords(offer) }),
    hint: say('adapters.untrusted.hint'),
  });
