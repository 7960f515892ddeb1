import { mkdir, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { removeLeftovers } from '../atomic-file.ts';
import { checkModelName } from '../model-name.ts';
import type { WantedModel } from '../wanted-model.ts';
import { Bandwidth } from './bandwidth.ts';
import { Changes } from './changes.ts';
import { type DownloadSettings, ModelDownload } from './download.ts';
import { anotherModel, cancelled, noDownload, notRunning } from './download-problems.ts';
import { downloadOfFile, isUnfinishedState } from './download-record.ts';
import type { SourceChoice } from './download-state.ts';
import { PartialFile } from './partial-file.ts';

export interface DownloadsOptions extends Omit<DownloadSettings, 'bandwidth' | 'onChange'> {
  /** Downloads that run at the same time; others wait. Default 2. */
  atOnce?: number;
  /** Bytes per second, all downloads together. Default: no cap. */
  bytesPerSecond?: number | null;
}

/** Downloads that are done and stay in the list. */
const MAX_DONE = 50;
/** Watchers are told no more often than this, and at least that often while something runs: speed falls by itself. */
const LEAST_GAP_MS = 250;
const LONGEST_GAP_MS = 1_000;

/** All downloads of this node. A resource; what is not complete when it closes goes on when it is opened again. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #bandwidth = new Bandwidth();
  /** By name in lower case: names are file names, and some drives take «A» and «a» for the same. */
  readonly #all = new Map<string, ModelDownload>();
  readonly #changes = new Changes();
  readonly #closing = new AbortController();
  #opened = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DownloadsOptions) {
    this.#options = options;
    this.#bandwidth.limit(options.bytesPerSecond ?? null);
  }

  /**
   * Finds what was not complete when the node ended.
   * @param resume whether to go on with it, except where a person paused it
   */
  async open({ resume }: { resume: boolean }): Promise<void> {
    if (this.#opened) return;
    this.#opened = true;
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder, isUnfinishedState);
    const names = (await readdir(folder)).map(downloadOfFile).filter((name) => name !== undefined);
    const kept = await Promise.all(names.map((name) => PartialFile.load(folder, name)));
    const unfinished = kept
      .filter((partial) => partial !== undefined)
      .sort((a, b) => a.state.begunAt - b.state.begunAt);
    for (const partial of unfinished) {
      const download = this.#add(partial);
      if (!resume) download.hold();
    }
    this.#fill();
  }

  /**
   * Begins a download, or goes on with the one of that name.
   * @param options.from which kinds of sources it may use. Default «anywhere»
   * @throws BAD_REQUEST when the name cannot be used, or a download of another file has it; NOT_RUNNING after `close`
   */
  async start(wanted: WantedModel, { from = 'anywhere' }: { from?: SourceChoice } = {}): Promise<Download> {
    checkModelName(wanted.name);
    return await this.#inTurn(async () => {
      const existing = this.#all.get(wanted.name.toLowerCase());
      if (!existing || existing.state === 'done') {
        this.#all.delete(wanted.name.toLowerCase());
        return this.#add(await PartialFile.create(this.#options.folder, wanted, from));
      }
      if (!isSameFile(existing.wanted, wanted)) throw anotherModel(wanted.name);
      await existing.redirect({ ...wanted, sha256: wanted.sha256 ?? existing.wanted.sha256 }, from);
      await existing.wait();
      return existing;
    });
  }

  /** In the order in which they were begun. */
  list(): Download[] {
    return [...this.#all.values()].map((download) => download.status());
  }

  /** All downloads, now and whenever one changes, at most four times a second. Ends with the signal, and with `close`. */
  async *watch(signal: AbortSignal): AsyncGenerator<Download[], void, undefined> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    while (!ending.aborted) {
      const seen = this.#changes.count;
      yield this.list();
      const moves = [...this.#all.values()].some(({ running }) => running);
      await this.#changes.after(seen, ending, moves ? LONGEST_GAP_MS : undefined);
      await sleep(LEAST_GAP_MS, undefined, { signal: ending }).catch(() => undefined);
    }
  }

  /** Stops a download and keeps what is there. @throws MODEL_NOT_FOUND */
  async pause(name: string): Promise<Download> {
    return await this.#inTurn(async () => {
      const download = this.#find(name);
      await download.pause();
      return download;
    });
  }

  /** Goes on with a download that was paused or has failed. @throws MODEL_NOT_FOUND */
  async resume(name: string): Promise<Download> {
    return await this.#inTurn(async () => {
      const download = this.#find(name);
      await download.wait();
      return download;
    });
  }

  /** Ends a download and deletes what it had. @throws MODEL_NOT_FOUND */
  async cancel(name: string): Promise<void> {
    await this.#inTurn(async () => {
      const download = this.#find(name);
      await download.discard();
      this.#all.delete(name.toLowerCase());
      return download;
    });
  }

  /**
   * Resolves when a download is done; while it is paused by a person, waits.
   * @throws what went wrong with it; MODEL_NOT_FOUND, CANCELLED, NOT_RUNNING after `close`; the signal's reason
   */
  async finished(name: string, signal: AbortSignal): Promise<Download> {
    this.#find(name);
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    while (true) {
      signal.throwIfAborted();
      this.#checkOpen();
      const seen = this.#changes.count;
      const download = this.#all.get(name.toLowerCase());
      if (!download) throw cancelled(name);
      if (download.state === 'done') return download.status();
      const stopped = download.state === 'failed' || download.state === 'paused';
      if (stopped && download.problem) throw new QuarryError(download.problem);
      await this.#changes.after(seen, ending);
    }
  }

  /** Caps all downloads together. @param bytesPerSecond null takes the cap away */
  limit(bytesPerSecond: number | null): void {
    this.#bandwidth.limit(bytesPerSecond);
  }

  /** Stops everything and keeps what is there. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    await Promise.all([...this.#all.values()].map((download) => download.stop()));
  }

  #add(partial: PartialFile): ModelDownload {
    const download = new ModelDownload(partial, {
      ...this.#options,
      bandwidth: this.#bandwidth,
      onChange: () => this.#changes.tell(),
    });
    this.#all.set(partial.state.wanted.name.toLowerCase(), download);
    return download;
  }

  /** One thing after another: two that start the same download at once get the same one. */
  async #inTurn(work: () => Promise<ModelDownload>): Promise<Download> {
    this.#checkOpen();
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    try {
      const download = await done;
      this.#fill();
      return download.status();
    } finally {
      this.#changes.tell();
    }
  }

  /** Lets those run that wait, as far as there are places. */
  #fill(): void {
    if (this.#closing.signal.aborted) return;
    const all = [...this.#all.values()];
    const places = (this.#options.atOnce ?? 2) - all.filter(({ running }) => running).length;
    const next = all.filter(({ state, running }) => state === 'waiting' && !running).slice(0, Math.max(0, places));
    for (const download of next) void download.run().then(() => this.#fill());
    const done = all.filter(({ state }) => state === 'done');
    for (const { wanted } of done.slice(0, Math.max(0, done.length - MAX_DONE)))
      this.#all.delete(wanted.name.toLowerCase());
  }

  #find(name: string): ModelDownload {
    const download = this.#all.get(name.toLowerCase());
    if (download) return download;
    throw noDownload(name, this.list());
  }

  #checkOpen(): void {
    if (!this.#opened || this.#closing.signal.aborted) throw notRunning();
  }
}

function isSameFile(a: WantedModel, b: WantedModel): boolean {
  if (a.sha256 && b.sha256) return a.sha256 === b.sha256;
  return a.urls.some((url) => b.urls.includes(url));
}
