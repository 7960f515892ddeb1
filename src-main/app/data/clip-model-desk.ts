import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ifMissing } from '../../base/swallowed.ts';
import {
  adoptClipModel,
  type ClipModelEntry,
  kindOf,
  type WantedFile,
  wantedFiles,
} from '../../clips/models/files/clip-catalogue.ts';
import { MANIFEST_FILE, type ModelKind } from '../../clips/models/files/model-manifest.ts';
import { Downloads, type DownloadsOptions } from '../../models/downloads/downloads.ts';
import type { HttpClient } from '../../models/downloads/http-client.ts';
import { httpSources } from '../../models/downloads/http-source.ts';
import { hubFileAddress } from '../../models/hub-address.ts';
import type { WantedModel } from '../../models/wanted-model.ts';

export interface ClipModelDeskOptions {
  catalogue: readonly ClipModelEntry[];
  /** In which models lie, a folder each by its name. */
  folder: string;
  /** The hub or a mirror of it, without a slash at its end. */
  endpoint: string;
  client: HttpClient;
  /** Bytes a second. */
  limit: () => number | undefined;
  log: Logger;
  /** Default: as downloads of models have it. */
  patience?: Pick<DownloadsOptions, 'attempts' | 'restMs' | 'random' | 'segmentBytes'>;
}

/** A model that is published. */
export interface ClipModelView extends Pick<ClipModelEntry, 'name' | 'title' | 'description' | 'licence'> {
  kind: ModelKind;
  isHere: boolean;
  /** Of all its files; null where one of them is not known. */
  bytes: number | null;
}

/** A longer file is no model that can be asked in a node. */
const MOST_BYTES = 8e9;

/** Models of clips: which are here, and fetching the others. */
export class ClipModelDesk {
  readonly #options: ClipModelDeskOptions;
  #isFetching = false;

  constructor(options: ClipModelDeskOptions) {
    this.#options = options;
  }

  async list(): Promise<ClipModelView[]> {
    return await Promise.all(
      this.#options.catalogue.map(async (entry) => {
        const { name, title, description, licence } = entry;
        const sizes = wantedFiles(entry).map(({ bytes }) => bytes ?? null);
        const bytes = sizes.includes(null) ? null : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
        const isHere = (await stat(join(this.#folderOf(entry), MANIFEST_FILE)).catch(ifMissing)) !== undefined;
        return { name, title, description, licence, kind: kindOf(entry), isHere, bytes };
      }),
    );
  }

  /**
   * Fetches a model's files, one after the other, and makes a model of them. What was begun goes on; ending it keeps what is here.
   * @returns how far the file is that is being fetched, some times a second
   * @throws MODEL_NOT_FOUND for a name that is not in the catalogue; OVERLOADED while another one is fetched; what the downloads fail with; MODEL_INVALID; the signal's reason
   */
  async *fetch(name: string, signal: AbortSignal): AsyncGenerator<Download> {
    const entry = this.#find(name);
    if (this.#isFetching) throw new QuarryError({ code: 'OVERLOADED', message: say('clipModels.fetching') });
    this.#isFetching = true;
    try {
      await makeFolder(this.#folderOf(entry));
      for (const file of wantedFiles(entry)) yield* this.#fetchFile(entry, file, signal);
      await adoptClipModel(this.#folderOf(entry), entry, signal);
    } finally {
      this.#isFetching = false;
    }
  }

  /** @throws MODEL_NOT_FOUND */
  async remove(name: string): Promise<void> {
    await rm(this.#folderOf(this.#find(name)), { recursive: true, force: true });
  }

  async *#fetchFile(entry: ClipModelEntry, file: WantedFile, signal: AbortSignal): AsyncGenerator<Download> {
    if (await stat(join(this.#folderOf(entry), file.path)).catch(ifMissing)) return;
    const downloads = this.#downloads(join(this.#folderOf(entry), file.path));
    await downloads.open({ resume: false });
    try {
      const { name } = await downloads.start(this.#wanted(entry, file));
      for await (const all of downloads.watch(signal)) {
        const download = all.find((one) => one.name === name);
        if (!download) break;
        yield download;
        if (!['done', 'failed', 'paused'].includes(download.state)) continue;
        await downloads.finished(name, signal); // throws what it failed by
        return;
      }
      signal.throwIfAborted();
    } finally {
      await downloads.close();
    }
  }

  #downloads(target: string): Downloads {
    const { folder, client, limit, log, patience } = this.#options;
    return new Downloads({
      ...{ folder, log, maxBytes: MOST_BYTES, bytesPerSecond: limit() ?? null, ...patience },
      sources: (wanted) => httpSources(wanted, client),
      adopt: async (path) => {
        await rename(path, target);
        await syncFolder(folder);
      },
    });
  }

  #wanted(entry: ClipModelEntry, { repository, revision, file, path, bytes, sha256 }: WantedFile): WantedModel {
    return {
      name: `${entry.name}.${path}`.slice(0, 100),
      urls: [hubFileAddress(this.#options.endpoint, repository, revision, file)],
      ...(bytes !== undefined && { bytes }),
      ...(sha256 && { sha256 }),
    };
  }

  #find(name: string): ClipModelEntry {
    const entry = this.#options.catalogue.find((one) => one.name === name);
    if (entry) return entry;
    throw new QuarryError({ code: 'MODEL_NOT_FOUND', message: say('library.notInCatalogue', { name }) });
  }

  #folderOf({ name }: ClipModelEntry): string {
    return join(this.#options.folder, name);
  }
}
