import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { VersionSharing } from '../../../src-preload/contract/learning-sharing.ts';
import type { AdapterVersion, ListedVersion } from '../../../src-preload/contract/learning-versions.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { unknownVersion } from '../../learning/adapters/adapter-problems.ts';
import type { Versions } from '../../learning/adapters/versions.ts';
import { ADAPTER_GGUF } from '../../learning/formats/adapter-files.ts';
import type { SharingNetwork } from '../../mesh/sharing/model-sharing.ts';
import { forgetShare, readShareNote, sharesFolder } from '../../mesh/sharing/share-note.ts';

export interface AdapterSharesOptions {
  dataDir: string;
  versions: Pick<Versions, 'adapter' | 'find' | 'folder'>;
  /** Absent on a node that is not on the models network. */
  network: SharingNetwork | undefined;
  /** @throws NOT_RUNNING where there is no network */
  needNetwork: () => SharingNetwork;
}

/** Which versions of adapters others may fetch: those that somebody chose, one by one. They are known by their bytes. */
export class AdapterShares {
  readonly #options: AdapterSharesOptions;

  constructor(options: AdapterSharesOptions) {
    this.#options = options;
  }

  /** @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID; NOT_RUNNING where this node is not on the models network; DISK_FULL, BAD_REQUEST for too many */
  async share(ref: string): Promise<VersionSharing> {
    const { sharing } = this.#options.needNetwork();
    const { path, offer } = await this.#outgoing(ref);
    const { name, number, bytes, sha256, base, baseName } = offer;
    await sharing.share({ name, path, bytes, sha256, adapter: { number, base, baseName } });
    return this.#view(offer);
  }

  /** What would go out, and how it stands. @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID */
  async sharing(ref: string): Promise<VersionSharing> {
    return this.#view((await this.#outgoing(ref)).offer);
  }

  /** @throws ADAPTER_NOT_FOUND; BAD_REQUEST when it is not shared */
  async unshare(ref: string): Promise<void> {
    const version = await this.#options.versions.find(ref);
    if ((await this.#state(version)) === null) throw notShared(version);
    await this.forget(version);
  }

  /** Nothing is left of what was shared of it. */
  async forget({ sha256 }: Pick<AdapterVersion, 'sha256'>): Promise<void> {
    const { network, dataDir } = this.#options;
    if (network) await network.sharing.forget(sha256);
    else await forgetShare(dataDir, sha256);
  }

  /** Versions with how their sharing stands. */
  async listed(versions: readonly AdapterVersion[]): Promise<ListedVersion[]> {
    return await Promise.all(versions.map(async (version) => ({ ...version, shared: await this.#state(version) })));
  }

  async #outgoing(ref: string): Promise<{ path: string; offer: VersionSharing['offer'] }> {
    const { version, folder } = await this.#options.versions.folder(ref);
    const { name, number, sha256 } = version;
    const adapter = await this.#options.versions.adapter(name);
    if (!adapter) throw unknownVersion(ref);
    const path = join(folder, ADAPTER_GGUF);
    const { size: bytes } = await stat(path);
    return { path, offer: { name, number, bytes, sha256, base: adapter.base, baseName: adapter.base_name } };
  }

  #view(offer: VersionSharing['offer']): VersionSharing {
    return { offer, status: this.#options.network?.sharing.statusOf(offer.sha256) ?? null };
  }

  async #state({ sha256 }: Pick<AdapterVersion, 'sha256'>): Promise<ListedVersion['shared']> {
    const { network, dataDir } = this.#options;
    if (network) return network.sharing.statusOf(sha256)?.state ?? null;
    return (await readShareNote(join(sharesFolder(dataDir), sha256))) ? 'shared' : null;
  }
}

const notShared = ({ name, number }: Pick<AdapterVersion, 'name' | 'number'>) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('adapters.notShared', { version: `${name}@${number}` }),
    field: 'version',
  });
