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
import { seekOffer } from '../../mesh/sharing/seek-offer.ts';
import type { ModelFile } from '../../models/library/library.ts';
import type { WantedAdapter, WantedModel } from '../../models/wanted-model.ts';

export interface AdapterOffersOptions {
  versions: Pick<Versions, 'adapters' | 'byHash' | 'intake'>;
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
  /** Of which adapter it is to be a version here. Default: as it is called there. */
  adapter?: string | undefined;
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
  async wanted({ version, adapter, trust }: WantedOffer, signal?: AbortSignal): Promise<WantedModel> {
    const offer = await this.#find(version, signal);
    const { number, bytes, sha256, base, signers } = offer;
    const name = adapter ?? offer.name;
    if (offer.here !== null) throw isHere(offer, offer.here);
    if (!isAdapterName(name)) throw badName(name);
    if (offer.baseHere === null) throw baseMissing(offer);
    await this.#checkBase(name, base);
    if (!offer.trusted && !trust) throw untrusted(offer);
    const { sharing } = this.#options.needNetwork();
    const from = signers.find((signer) => sharing.trusts(signer)) ?? signers[0];
    if (from === undefined) throw notOffered(version);
    const download = `adapter-${offer.name.replaceAll('/', '.')}-${number}-${sha256.slice(0, 8)}`;
    return { name: download, urls: [], bytes, sha256, adapter: { name, base, from } };
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
    const known = (await this.#options.versions.adapters()).find((adapter) => adapter.name === name);
    if (known && known.base !== base) throw otherBase(name, known.base_name);
  }

  /** A trusted one before others. @throws ADAPTER_NOT_FOUND; BAD_REQUEST when several files are called so */
  async #find(wanted: string, signal?: AbortSignal): Promise<OfferedAdapter> {
    const sha256 = wanted.toLowerCase();
    const means = hexPattern(32).test(sha256)
      ? (offer: OfferedAdapter) => offer.sha256 === sha256
      : ({ name, number }: OfferedAdapter) => `${name}@${number}` === wanted;
    const found = await seekOffer<OfferedAdapter>({
      look: async (waitMs) => (await this.list(waitMs, signal)).offers,
      means,
      fileOf: ({ sha256: hash, base }) => `${hash} ${base}`,
      ambiguous: ({ length }) => ambiguous(wanted, length),
    });
    if (!found) throw notOffered(wanted);
    return found;
  }
}

/** What is vouched for, then what there is a model for, then what most have: strangers can make any number. */
function nearestFirst(one: OfferedAdapter, other: OfferedAdapter): number {
  const nearness = ({ trusted, baseHere }: OfferedAdapter) => (trusted ? 2 : 0) + (baseHere === null ? 0 : 1);
  return nearness(other) - nearness(one) || other.seeders - one.seeders;
}

const notOffered = (wanted: string) =>
  new QuarryError({
    code: 'ADAPTER_NOT_FOUND',
    message: say('adapters.notOffered', { wanted }),
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

const isHere = ({ name, number }: OfferedAdapter, here: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.hereAlready', { version: `${name}@${number}`, here }),
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

const untrusted = ({ name, number, sha256 }: OfferedAdapter) =>
  new QuarryError({
    code: 'UNAUTHORIZED',
    message: say('adapters.untrusted', { version: `${name}@${number}`, sha256 }),
    hint: say('adapters.untrusted.hint', { sha256 }),
  });
