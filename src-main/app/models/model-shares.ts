import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { OfferedModel, Sharing } from '../../../src-preload/contract/models.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import type { SharingNetwork } from '../../mesh/sharing/model-sharing.ts';
import { LOOK_AGAIN_MS, seekOffers, signersOf } from '../../mesh/sharing/seek-offer.ts';
import { forgetShare, heldFile, sharesFolder } from '../../mesh/sharing/share-note.ts';
import type { Catalogue } from '../../models/catalogue/catalogue.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import { TINY_MODEL_NAME } from '../../models/model-name.ts';
import type { FixedConfig } from '../../settings/config.ts';

export interface ModelSharesOptions {
  config: FixedConfig;
  library: ModelLibrary;
  catalogue: Catalogue;
  /** Absent on a node that is not on the models network. */
  network: SharingNetwork | undefined;
  /** @throws NOT_RUNNING where there is no network */
  needNetwork: () => SharingNetwork;
  log: Logger;
}

/** What this node shares with others, and what they offer. */
export class ModelShares {
  readonly #options: ModelSharesOptions;

  constructor(options: ModelSharesOptions) {
    this.#options = options;
  }

  view(): Sharing {
    return { seed: this.#options.config.sharing.seed, ...this.#network.sharing.status() };
  }

  async share(name: string): Promise<Sharing> {
    await this.#offer(await this.#options.library.find(name));
    return this.view();
  }

  async unshare(name: string): Promise<Sharing> {
    await this.#network.sharing.unshare(name);
    return this.view();
  }

  /** Nothing is left of what was shared of a model. */
  async forget(sha256: string): Promise<void> {
    const { network, config } = this.#options;
    if (network) await network.sharing.forget(sha256);
    else await forgetShare(config.dataDir, sha256);
  }

  /** Whether sharing gave the model's file a second name, which goes when the model is removed. */
  async holds({ path, sha256 }: Pick<ModelFile, 'path' | 'sha256'>): Promise<boolean> {
    const held = heldFile(join(sharesFolder(this.#options.config.dataDir), sha256));
    const [one, other] = await Promise.all([stat(held).catch(ifMissing), stat(path).catch(ifMissing)]);
    return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
  }

  /** Shares every model of the catalogue that is here, if the settings say so. */
  async seedAll(): Promise<void> {
    const { config, library, catalogue } = this.#options;
    if (!config.sharing.seed) return;
    const names = (await library.names()).filter((name) => catalogue.has(name));
    for (const name of names) await this.seed(await library.find(name));
  }

  /** Shares a model of the catalogue, if the settings say so. Where that fails it is logged: it is nobody's request. */
  async seed(model: ModelFile): Promise<void> {
    const { config, log, network } = this.#options;
    if (!config.sharing.seed || !network || !this.#isKnown(model.sha256)) return;
    await this.#offer(model).catch((err: unknown) => log.warn({ model: model.name, err }, 'the model is not shared'));
  }

  /** What others share; looks around for `waitMs` milliseconds first. */
  async offers(waitMs: number, signal?: AbortSignal): Promise<OfferedModel[]> {
    await this.#network.discovered();
    await sleep(waitMs, undefined, { signal });
    return this.#offersNow();
  }

  /** The same, told again and again meanwhile. */
  async *watchOffers(
    waitMs: number,
    signal?: AbortSignal,
  ): AsyncGenerator<{ peers: number; offers: OfferedModel[] }, void, undefined> {
    const network = this.#network;
    const look = () => ({ peers: network.sharing.peers, offers: this.#offersNow() });
    yield look();
    await network.discovered();
    for (const end = Date.now() + waitMs; ; ) {
      yield look();
      const left = end - Date.now();
      if (left <= 0) return;
      await sleep(Math.min(LOOK_AGAIN_MS, left), undefined, { signal });
    }
  }

  #offersNow(): OfferedModel[] {
    return this.#network.sharing.offers().map((offer) => ({ ...offer, inCatalogue: this.#isKnown(offer.sha256) }));
  }

  /**
   * The offer that is meant, a trusted one before others, with all who vouch for its file; undefined where nobody offers it, or there is nobody. Unless it is trusted,
   * strangers may have made up all of it but its SHA-256.
   * @throws BAD_REQUEST when peers whom nobody trusts mean different files by the same name
   */
  async find(
    wanted: { name?: string | undefined; sha256?: string },
    signal?: AbortSignal,
  ): Promise<OfferedModel | undefined> {
    if (!this.#options.network) return undefined;
    const found = await seekOffers<OfferedModel>(
      (waitMs) => this.offers(waitMs, signal),
      ({ name, sha256 }) => sha256 === wanted.sha256 || name === wanted.name,
    );
    const files = new Set(found.map(({ sha256 }) => sha256)).size;
    if (files > 1) throw ambiguous(wanted.name ?? '', files);
    const [first] = found;
    return first && { ...first, signers: signersOf(found) };
  }

  async #offer({ name, path, bytes, sha256, licence = 'unknown' }: ModelFile): Promise<void> {
    const { sharing } = this.#network;
    const builtIn = await this.#options.library.find(TINY_MODEL_NAME);
    // Also by its path, or under another name: every app brings it along, so it takes nobody's room for sharing.
    if (sha256 === builtIn.sha256) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('library.everybodyHas'), field: 'name' });
    }
    const { quantisation, contextLength } = (await checkGguf(path)).facts;
    await sharing.share({ name, path, bytes, sha256, licence, quantisation, contextLength });
  }

  #isKnown(sha256: string): boolean {
    return this.#options.catalogue.bySha256(sha256) !== undefined;
  }

  get #network(): SharingNetwork {
    return this.#options.needNetwork();
  }
}

function ambiguous(name: string, count: number): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.ambiguous', { count, name }),
    hint: say('library.lookAtOffers'),
    field: 'name',
  });
}
