import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ClipModelStep, ClipModelView } from '../../../../src-preload/contract/data-models.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../../base/atomic-file.ts';
import { makeFolder } from '../../../base/folder.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { Downloads, type DownloadsOptions } from '../../../models/downloads/downloads.ts';
import type { HttpClient } from '../../../models/downloads/http-client.ts';
import { httpSources } from '../../../models/downloads/http-source.ts';
import { hubFileAddress } from '../../../models/hub-address.ts';
import type { WantedModel } from '../../../models/wanted-model.ts';
import { adoptClipModel, type ClipModelEntry, kindOf, type WantedFile, wantedFiles } from './clip-catalogue.ts';
import { MANIFEST_FILE } from './model-manifest.ts';

export interface ClipModelDeskOptions {
  catalogue: readonly ClipModelEntry[];
  /** In which models lie, a folder each by its name. */
  folder: string;
  /** The hub or a mirror of it, without a slash at its end. */
  endpoint: string;
  client: HttpClient;
  /** Names of models, and folders of others, that the settings name. */
  chosen: () => readonly string[];
  /** What is here is no longer as it was. */
  onChange: () => Promise<void>;
  /** Bytes a second. */
  limit: () => number | undefined;
  log: Logger;
  /** Default: as downloads of models have it. */
  patience?: Pick<DownloadsOptions, 'attempts' | 'restMs' | 'random' | 'segmentBytes'>;
}

/** A longer file is no model that can be asked in a node. */
const MOST_BYTES = 8e9;

/** Models of clips: which are here, and fetching the others. */
export class ClipModelDesk {
  readonly #options: ClipModelDeskOptions;
  /** Its name. */
  #fetching: string | undefined;

  constructor(options: ClipModelDeskOptions) {
    this.#options = options;
  }

  async list(): Promise<ClipModelView[]> {
    return await Promise.all(
      this.#options.catalogue.map(async (entry) => {
        const { name, title, description, licence, roughBytes } = entry;
        const isHere = (await stat(join(this.#folderOf(entry), MANIFEST_FILE)).catch(ifMissing)) !== undefined;
        const isChosen = this.#options.chosen().includes(name);
        return { name, title, description, licence, kind: kindOf(entry), isHere, isChosen, roughBytes };
      }),
    );
  }

  /**
   * Fetches a model's files, one after the other, and makes a model of them. What was begun goes on; ending it keeps what is here.
   * @returns how far the file is that is being fetched, some times a second
   * @throws MODEL_NOT_FOUND for a name that is not in the catalogue; OVERLOADED while another one is fetched; what the downloads fail with; MODEL_INVALID; the signal's reason
   */
  async *fetch(name: string, signal: AbortSignal): AsyncGenerator<ClipModelStep> {
    const entry = this.#find(name);
    if (this.#fetching !== undefined)
      throw new QuarryError({ code: 'OVERLOADED', message: say('clipModels.fetching') });
    this.#fetching = name;
    try {
      await makeFolder(this.#folderOf(entry));
      const files = wantedFiles(entry);
      let before = 0;
      for (const [at, file] of files.entries()) {
        const place = { file: at + 1, files: files.length, before, roughBytes: entry.roughBytes };
        yield* this.#fetchFile(entry, file, place, signal);
        before += (await stat(join(this.#folderOf(entry), file.path))).size;
      }
      await adoptClipModel(this.#folderOf(entry), entry, signal);
    } finally {
      this.#fetching = undefined;
    }
    await this.#options.onChange();
  }

  /** @throws MODEL_NOT_FOUND; OVERLOADED while it is being fetched */
  async remove(name: string): Promise<void> {
    const entry = this.#find(name);
    const folder = this.#folderOf(entry);
    if (this.#fetching === name) throw new QuarryError({ code: 'OVERLOADED', message: say('clipModels.fetchingIt') });
    await this.#forgetPartial(entry);
    await rm(folder, { recursive: true, force: true });
    await this.#options.onChange();
  }

  async *#fetchFile(
    entry: ClipModelEntry,
    file: WantedFile,
    { before, ...place }: Omit<ClipModelStep, 'download' | 'received'> & { before: number },
    signal: AbortSignal,
  ): AsyncGenerator<ClipModelStep> {
    if (await stat(join(this.#folderOf(entry), file.path)).catch(ifMissing)) return;
    const downloads = this.#downloads(join(this.#folderOf(entry), file.path));
    await downloads.open({ resume: false });
    try {
      const { name } = await downloads.start(this.#wanted(entry, file));
      for await (const all of downloads.watch(signal)) {
        const download = all.find((one) => one.name === name);
        if (!download) break;
        yield { ...place, received: before + download.received, download };
        if (!['done', 'failed', 'paused'].includes(download.state)) continue;
        await downloads.finished(name, signal); // throws what it failed by
        return;
      }
      signal.throwIfAborted();
    } finally {
      await downloads.close();
    }
  }

  /** Deletes what was begun of its files. */
  async #forgetPartial(entry: ClipModelEntry): Promise<void> {
    const downloads = this.#downloads(this.#folderOf(entry)); // nothing is taken: it is closed before
    await downloads.open({ resume: false });
    try {
      const begun = new Set(downloads.list().map(({ name }) => name));
      const names = wantedFiles(entry).map((file) => downloadName(entry, file));
      for (const name of names) if (begun.has(name)) await downloads.cancel(name);
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

  #wanted(entry: ClipModelEntry, wanted: WantedFile): WantedModel {
    const { repository, revision, file, bytes, sha256 } = wanted;
    return {
      name: downloadName(entry, wanted),
      urls: [hubFileAddress(this.#options.endpoint, repository, revision, file)],
      ...(bytes !== undefined && { bytes }),
      ...(sha256 && { sha256 }),
    };
  }

  #find(name: string): ClipModelEntry {
    const entry = this.#options.catalogue.find((one) => one.name === name);
    if (entry) return entry;
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: say('library.notInCatalogue', { name }),
      hint: say('clipModels.known', { names: this.#options.catalogue.map((one) => one.name).join(', ') }),
    });
  }

  #folderOf({ name }: ClipModelEntry): string {
    return join(this.#options.folder, name);
  }
}

const downloadName = ({ name }: ClipModelEntry, { path }: WantedFile): string => `${name}.${path}`.slice(0, 100);
