import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationFetchEvent, EvaluationFile } from '../../../../src-preload/contract/evaluation.ts';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { say, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { syncFolder } from '../../../base/atomic-file.ts';
import { errorView } from '../../../base/error-view.ts';
import { makeFolder } from '../../../base/folder.ts';
import { ifMissing } from '../../../base/swallowed.ts';
import { explainDownloadError } from '../../../models/downloads/download-problems.ts';
import { Downloads, type DownloadsOptions } from '../../../models/downloads/downloads.ts';
import type { HttpClient } from '../../../models/downloads/http-client.ts';
import { httpSources } from '../../../models/downloads/http-source.ts';
import { DatasetServer } from '../../../models/hub/dataset-server.ts';
import type { WantedModel } from '../../../models/wanted-model.ts';
import { PUBLISHED_FILES, type PublishedFile } from '../../../subnets/quasar/tasks/published/published-files.ts';
import { publishedWith } from '../../../subnets/quasar/tasks/published/published-tasks.ts';
import { addressOf, type FetchStep, stepsFor, wantedFiles, zipName } from './fetch-plan.ts';
import { fetchRows, rowsPartial } from './fetch-rows.ts';
import { takeIn } from './zip-intake.ts';

export interface FilesDeskOptions {
  /** Where the files are, absolute. */
  folder: string;
  /** The hub or a mirror of it. */
  endpoint: string;
  /** Fetches from there, and from wherever else files are published. */
  client: HttpClient;
  /** A server of data sets, with its client, for as long as it is asked. */
  rowServer: () => { endpoint: string; client: HttpClient };
  /** Bytes a second. */
  limit: () => number | undefined;
  log: Logger;
  /** Default: all that are published. */
  files?: readonly PublishedFile[];
  /** Milliseconds without a way to a server until the other files have their turn. Default two minutes. */
  offlineMs?: number;
  /** Milliseconds of a clock that never goes back. Default performance.now */
  now?: () => number;
  /** Default: as downloads of models have it. */
  patience?: Pick<DownloadsOptions, 'attempts' | 'restMs' | 'random' | 'segmentBytes'>;
}

/** Of a file, of a zip, and of what is in it: what more than that is read for nobody. */
const MOST_BYTES = 2 * 2 ** 30;

const OFFLINE_MS = 120_000;

type Wish = { suites: readonly string[]; all: boolean };

/** The files of published data sets: which are here, and fetching the others. */
export class FilesDesk {
  readonly #options: FilesDeskOptions;
  readonly #files: readonly PublishedFile[];
  #isFetching = false;

  constructor(options: FilesDeskOptions) {
    this.#options = options;
    this.#files = options.files ?? PUBLISHED_FILES;
  }

  async list(): Promise<EvaluationFile[]> {
    return await Promise.all(this.#files.map((file) => this.#view(file)));
  }

  /**
   * Fetches what is missing, one after the other; one that cannot be had keeps nobody from the others. What was begun goes on; ending it keeps what is here.
   * @throws BAD_REQUEST for a suite that wants no file; OVERLOADED while others are fetched; the signal's reason
   */
  async *fetch(wish: Wish, signal = new AbortController().signal): AsyncGenerator<EvaluationFetchEvent> {
    const wanted = wantedFiles(this.#files, wish);
    if (this.#isFetching) throw alreadyFetching();
    this.#isFetching = true;
    try {
      await makeFolder(this.#options.folder);
      const steps = stepsFor(await this.#missing(wanted), await this.#missing(this.#files), this.#options.endpoint);
      for (const step of steps) yield* this.#step(step, signal);
    } finally {
      this.#isFetching = false;
    }
  }

  async *#step(step: FetchStep, signal: AbortSignal): AsyncGenerator<EvaluationFetchEvent> {
    const name = step.kind === 'zip' ? step.name : step.file.file;
    try {
      yield* step.kind === 'rows' ? this.#rows(step, signal) : this.#download(step, signal);
      const files = step.kind === 'zip' ? [...step.members.values()] : [name];
      for (const file of files) yield { type: 'fetched', file, bytes: (await stat(this.#path(file))).size };
    } catch (error) {
      signal.throwIfAborted();
      const failure = explained(error, this.#options.folder);
      this.#options.log.warn({ err: failure, file: name }, 'a file of a data set cannot be fetched');
      yield { type: 'failed', file: name, error: errorView(failure) };
    }
  }

  async *#download(
    step: Exclude<FetchStep, { kind: 'rows' }>,
    signal: AbortSignal,
  ): AsyncGenerator<EvaluationFetchEvent> {
    const downloads = this.#downloads((path, wanted, from) => this.#adopt(step, path, wanted.name, from));
    await downloads.open({ resume: false });
    const { offlineMs = OFFLINE_MS, now = () => performance.now() } = this.#options;
    let reachedAt = now();
    try {
      const { name } = await begun(downloads, wantedOf(step));
      for await (const all of downloads.watch(signal)) {
        const download = all.find((one) => one.name === name);
        if (!download) break;
        if (['done', 'failed', 'paused'].includes(download.state)) {
          await downloads.finished(name, signal); // throws what it failed by
          return;
        }
        if (download.problem?.fault !== 'offline') reachedAt = now();
        if (now() - reachedAt > offlineMs) throw notReached(download);
        yield progressOf(download);
      }
      signal.throwIfAborted();
    } finally {
      await downloads.close();
    }
  }

  #downloads(adopt: (path: string, wanted: WantedModel, from: string) => Promise<void>): Downloads {
    const { folder, client, limit, log, patience } = this.#options;
    return new Downloads({
      ...{ folder, log, maxBytes: MOST_BYTES, bytesPerSecond: limit() ?? null, ...patience },
      sources: (wanted) => httpSources(wanted, client),
      adopt: (path, wanted, { source }) => adopt(path, wanted, source),
    });
  }

  async #adopt(step: Exclude<FetchStep, { kind: 'rows' }>, path: string, name: string, from: string): Promise<void> {
    const { folder } = this.#options;
    if (step.kind === 'zip') {
      return await takeIn(path, { ...{ name, from, folder, mostBytes: MOST_BYTES }, members: step.members });
    }
    await rename(path, this.#path(name));
    await syncFolder(folder);
  }

  async *#rows(
    { file: { file }, part }: Extract<FetchStep, { kind: 'rows' }>,
    signal: AbortSignal,
  ): AsyncGenerator<EvaluationFetchEvent> {
    const { folder, rowServer } = this.#options;
    const { endpoint, client } = rowServer();
    const wanted = { folder, file, path: this.#path(file), mostBytes: MOST_BYTES };
    try {
      const server = new DatasetServer({ endpoint, client });
      for await (const { bytes, rows, total } of fetchRows({ ...wanted, server, part, signal })) {
        const whole = rows > 0 ? Math.round((bytes / rows) * total) : null; // rows are about as long as those before
        yield {
          type: 'progress',
          file,
          done: bytes,
          total: whole,
          bytesPerSecond: 0,
          secondsLeft: null,
          problem: null,
        };
      }
    } finally {
      await client.close();
    }
  }

  async #view({ file, dataset, origin, required, bytes, extra }: PublishedFile): Promise<EvaluationFile> {
    const here = await stat(this.#path(file)).catch(ifMissing);
    const partial = origin.type === 'hub' && origin.member !== undefined ? zipName(origin) : file;
    const begun = here ? undefined : await stat(rowsPartial(this.#path(partial))).catch(ifMissing);
    return {
      ...{ file, suite: dataset, group: publishedWith(dataset), required, extra: extra ?? false },
      address: addressOf(origin, this.#options.endpoint),
      state: here ? 'here' : begun ? 'begun' : 'missing',
      bytes: here?.size ?? bytes ?? null,
    };
  }

  async #missing(files: readonly PublishedFile[]): Promise<PublishedFile[]> {
    const here = await Promise.all(files.map(({ file }) => stat(this.#path(file)).catch(ifMissing)));
    return files.filter((_, at) => !here[at]);
  }

  #path(file: string): string {
    return join(this.#options.folder, file);
  }
}

function wantedOf(step: Exclude<FetchStep, { kind: 'rows' }>): WantedModel {
  if (step.kind === 'zip') return { name: step.name, urls: [step.address] };
  const { file: name, bytes, sha256 } = step.file;
  return { name, urls: [step.address], ...(bytes !== undefined && { bytes }), ...(sha256 && { sha256 }) };
}

/** What was begun at another server, and cannot be gone on with here, begins anew. */
async function begun(downloads: Downloads, wanted: WantedModel): Promise<Download> {
  try {
    return await downloads.start(wanted);
  } catch (error) {
    if (QuarryError.from(error).code !== 'BAD_REQUEST') throw error;
    await downloads.cancel(wanted.name);
    return await downloads.start(wanted);
  }
}

function progressOf({
  name: file,
  received: done,
  bytes: total,
  bytesPerSecond,
  secondsLeft,
  problem,
}: Download): EvaluationFetchEvent {
  const told = problem && { message: problem.message, said: problem.said };
  return { type: 'progress', file, done, total, bytesPerSecond, secondsLeft, problem: told };
}

/** A model is waited for however long it takes; here others may be had from elsewhere. */
function notReached({ name, problem }: Download): QuarryError {
  const last = problem ? wordsOf(problem, 'message') : '';
  return new QuarryError({ code: 'DOWNLOAD_FAILED', message: say('download.gaveUp', { name, last }), retryable: true });
}

/** Downloads tell what else to do about a model that cannot be had: of these files there is no other. */
function explained(error: unknown, folder: string): QuarryError {
  const failure = explainDownloadError(error, folder);
  const { code, said } = failure;
  const hint = code === 'DOWNLOAD_FAILED' ? 'contextFiles.later' : 'contextFiles.zipRemoved';
  if (code !== 'DOWNLOAD_FAILED' && said?.message?.key !== 'download.wrongHash') return failure;
  return new QuarryError({ code, message: wordsOf(failure, 'message'), hint: say(hint) }, { cause: failure });
}

const alreadyFetching = () =>
  new QuarryError({
    code: 'OVERLOADED',
    message: say('contextFiles.fetching'),
    hint: say('contextFiles.fetching.hint'),
  });
