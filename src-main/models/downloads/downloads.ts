import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { Changes } from '../../base/changes.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { checkModelName } from '../model-name.ts';
import type { WantedModel } from '../wanted-model.ts';
import { Bandwidth } from './bandwidth.ts';
import { DiskRoom, type FreeSpace } from './disk-room.ts';
import { type DownloadSettings, ModelDownload } from './download.ts';
import { anotherModel, beingMoved, cancelled, noDownload, notAtRest, notRunning } from './download-problems.ts';
import type { SourceChoice } from './download-record.ts';
import { PartialFile } from './partial-file.ts';
import { UnfinishedDownloads } from './unfinished-downloads.ts';

export interface DownloadsOptions extends Omit<DownloadSettings, 'bandwidth' | 'room' | 'onChange'> {
  /** Downloads that run at the same time; others wait. Default 2. */
  atOnce?: number;
  /** Bytes per second, all downloads together. Default: no cap. */
  bytesPerSecond?: number | null;
  /** Bytes free on the drive of a folder. Default: what the system says. */
  freeSpace?: FreeSpace;
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
  readonly #room: DiskRoom;
  readonly #unfinished: UnfinishedDownloads;
  /** By name in lower case: names are file names, and some drives take «A» and «a» for the same. */
  readonly #all = new Map<string, ModelDownload>();
  readonly #changes = new Changes();
  readonly #closing = new AbortController();
  #opened = false;
  /** Whether they must leave the folder alone. */
  #held = false;
  readonly #turns = new Turns();

  constructor(options: DownloadsOptions) {
    this.#options = options;
    this.#room = new DiskRoom(options.folder, options.freeSpace);
    this.#unfinished = new UnfinishedDownloads(options.folder);
    this.#bandwidth.limit(options.bytesPerSecond ?? null);
  }

  /**
   * Finds what was not complete when the node ended.
   * @param resume whether to go on with it, except where a person paused it
   */
  async open({ resume }: { resume: boolean }): Promise<void> {
    if (this.#opened) return;
    this.#opened = true;
    for (const partial of await this.#unfinished.load()) {
      const download = this.#add(partial);
      if (!resume) download.hold();
    }
    this.#fill();
  }

  /**
   * Begins a download, or goes on with the one of that name.
   * @param options.from which kinds of sources it may use. Default «anywhere»
   * @throws BAD_REQUEST when the name cannot be used, or a download of another file has it, or while they are held;
   * DOWNLOAD_FAILED when what is there of it cannot be read; NOT_RUNNING after `close`
   */
  async start(wanted: WantedModel, { from = 'anywhere' }: { from?: SourceChoice } = {}): Promise<Download> {
    checkModelName(wanted.name);
    const download = await this.#inTurn(async () => {
      const existing = await this.#existing(wanted.name);
      if (!existing || existing.state === 'done') {
        this.#all.delete(wanted.name.toLowerCase());
        return this.#add(await PartialFile.create(this.#options.folder, wanted, from));
      }
      if (!isSameFile(existing.wanted, wanted)) throw anotherModel(wanted.name);
      await existing.redirect({ ...wanted, sha256: wanted.sha256 ?? existing.wanted.sha256 }, from);
      await existing.wait();
      return existing;
    });
    return download.status();
  }

  /** In the order in which they were begun. */
  list(): Download[] {
    return [...[...this.#all.values()].map((download) => download.status()), ...this.#unfinished.unread];
  }

  /** All downloads, now and whenever one changes, at most four times a second. Ends with the signal, and with `close`. */
  async *watch(signal: AbortSignal): AsyncGenerator<Download[], void, undefined> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    while (!ending.aborted) {
      const seen = this.#changes.count;
      yield this.list();
      const moves = [...this.#all.values()].some(({ running }) => running);
      await this.#changes.after(seen, ending, moves ? LONGEST_GAP_MS : undefined);
      await sleep(LEAST_GAP_MS, undefined, { signal: ending }).catch(ignoring('the loop sees the signal'));
    }
  }

  /** Stops a download and keeps what is there. @throws MODEL_NOT_FOUND, BAD_REQUEST while they are held */
  async pause(name: string): Promise<Download> {
    const download = await this.#inTurn(async () => {
      const running = this.#find(name);
      await running.pause();
      return running;
    });
    return download.status();
  }

  /**
   * Goes on with a download that was paused or has failed.
   * @throws MODEL_NOT_FOUND; BAD_REQUEST while they are held; DOWNLOAD_FAILED when what is there of it cannot be read
   */
  async resume(name: string): Promise<Download> {
    const download = await this.#inTurn(async () => {
      const resting = (await this.#existing(name)) ?? this.#find(name);
      await resting.wait();
      return resting;
    });
    return download.status();
  }

  /** Ends the wait of a download for the internet; else as {@link resume}. @throws the same */
  async tryNow(name: string): Promise<Download> {
    const download = this.#all.get(name.toLowerCase());
    return download?.tryNow() ? download.status() : await this.resume(name);
  }

  /** Ends a download and deletes what it had. @throws MODEL_NOT_FOUND, BAD_REQUEST while they are held */
  async cancel(name: string): Promise<void> {
    await this.#inTurn(async () => {
      if (await this.#unfinished.erase(name)) return;
      const download = this.#find(name);
      await download.discard();
      this.#all.delete(name.toLowerCase());
    });
  }

  /**
   * Makes sure that nothing is written to the folder until the result is disposed of: no download runs, none can be
   * started, resumed, paused or cancelled meanwhile. For whoever moves the folder.
   * @throws BAD_REQUEST when one runs or waits for its turn, or when they are held already; NOT_RUNNING after `close`
   */
  async hold(): Promise<Disposable> {
    await this.#inTurn(async () => {
      if ([...this.#all.values()].some(({ state, running }) => running || state === 'waiting')) throw notAtRest();
      this.#held = true;
    });
    return {
      [Symbol.dispose]: () => {
        this.#held = false;
      },
    };
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
    await this.#turns.ended();
    await Promise.all([...this.#all.values()].map((download) => download.stop()));
  }

  #add(partial: PartialFile): ModelDownload {
    const download = new ModelDownload(partial, {
      ...this.#options,
      bandwidth: this.#bandwidth,
      room: this.#room,
      onChange: () => this.#changes.tell(),
    });
    this.#all.set(partial.state.wanted.name.toLowerCase(), download);
    return download;
  }

  /** One thing after another: two that start the same download at once get the same one. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    try {
      const result = await this.#turns.take(() => {
        if (this.#held) throw beingMoved();
        return work();
      });
      this.#fill();
      return result;
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

  /** Also one that could not be read before, if it can be now. @throws DOWNLOAD_FAILED when it cannot */
  async #existing(name: string): Promise<ModelDownload | undefined> {
    const partial = await this.#unfinished.retry(name);
    return partial ? this.#add(partial) : this.#all.get(name.toLowerCase());
  }

  /** @throws MODEL_NOT_FOUND; DOWNLOAD_FAILED for one that cannot be read */
  #find(name: string): ModelDownload {
    this.#unfinished.check(name);
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
