import { Recent } from '../../base/recent.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { HttpClient } from '../downloads/http-client.ts';
import { HttpSource } from '../downloads/http-source.ts';
import { ggufProfile } from '../fit/gguf-profile.ts';
import { type ModelProfile, resized } from '../fit/model-profile.ts';
import type { Hub } from './hub.ts';
import type { Repository } from './hub-answers.ts';
import type { HubFile } from './quantisations.ts';
import { readRemoteHeader } from './remote-header.ts';

/** A commit's files never change: long enough for an evening. */
const FRESH_MS = 6 * 3_600_000;

/** Headers of models at the hub: some megabytes each, so they are read once. */
export class HubHeaders {
  readonly #hub: Pick<Hub, 'fileUrl'>;
  readonly #client: HttpClient;
  readonly #known: Recent<{ profile: ModelProfile; bytes: number }>;

  constructor({ hub, client, now }: { hub: Pick<Hub, 'fileUrl'>; client: HttpClient; now?: () => number }) {
    this.#hub = hub;
    this.#client = client;
    this.#known = new Recent(FRESH_MS, now);
  }

  /**
   * The profile of each of a repository's files, after the header of one of them.
   * @returns undefined where it cannot be read: a gated file, a slow line, no GGUF
   * @throws the signal's reason
   */
  async read(
    repository: Pick<Repository, 'id' | 'sha'>,
    file: HubFile,
    signal?: AbortSignal,
  ): Promise<((file: HubFile) => ModelProfile) | undefined> {
    const key = `${repository.id} ${repository.sha}`;
    const known = this.#known.get(key);
    const profile = known?.profile ?? (await this.#fetch(repository, file, signal));
    if (!profile) return undefined;
    const { bytes } = known ?? this.#known.set(key, { profile, bytes: file.bytes });
    return (other) => resized(profile, bytes, other.bytes);
  }

  async #fetch(repository: Pick<Repository, 'id' | 'sha'>, { path, bytes }: HubFile, signal?: AbortSignal) {
    const source = new HttpSource(new URL(this.#hub.fileUrl(repository, path)), this.#client);
    const checked = await readRemoteHeader(source, bytes, signal).catch(
      ignoring('the estimate by size stays; a download tells what is wrong'),
    );
    signal?.throwIfAborted();
    return checked && ggufProfile(checked);
  }
}
