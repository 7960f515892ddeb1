import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { WantedModel } from '../wanted-model.ts';
import type { ByteSource } from './byte-source.ts';
import { type DownloadProblem, explainDownloadError, problemOf } from './download-problems.ts';
import type { SourceChoice } from './download-record.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { ModelFetch } from './model-fetch.ts';
import { PartialFile } from './partial-file.ts';
import { SpeedMeter } from './speed-meter.ts';

export interface DownloadSettings extends FetchSettings {
  /** Folder of models, and of what is to become one. */
  folder: string;
  /** Where a model can be had, the preferred source first. */
  sources: (wanted: WantedModel) => ByteSource[];
  /** Something that the status tells has changed. */
  onChange: () => void;
}

const ACTIVE: readonly Download['state'][] = ['downloading', 'offline', 'verifying'];

/** One download through its life: waiting, running, paused, failed, done. */
export class ModelDownload {
  readonly #settings: DownloadSettings;
  readonly #now: () => number;
  readonly #speed: SpeedMeter;
  #partial: PartialFile;
  #state: Download['state'];
  #problem: DownloadProblem | null = null;
  /** While it waits for the internet; Unix milliseconds. */
  #nextTryAt: number | null = null;
  #source: string | undefined;
  #received: number;
  #run: { stopping: AbortController; ended: Promise<void>; fetch?: ModelFetch } | undefined;
  /** What it becomes when a run is stopped. */
  #stopsAs: 'waiting' | 'paused' = 'waiting';

  constructor(partial: PartialFile, settings: DownloadSettings) {
    this.#partial = partial;
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
    this.#speed = new SpeedMeter(this.#now);
    this.#state = partial.state.paused ? 'paused' : 'waiting';
    this.#received = partial.received;
  }

  get wanted(): WantedModel {
    return this.#partial.state.wanted;
  }

  /** When it was begun, in milliseconds since 1970. */
  get begunAt(): number {
    return this.#partial.state.begunAt;
  }

  get state(): Download['state'] {
    return this.#state;
  }

  get problem(): DownloadProblem | null {
    return this.#problem;
  }

  get running(): boolean {
    return this.#run !== undefined;
  }

  status(): Download {
    const { adapter, sha256 } = this.wanted;
    const bytes = this.#partial.state.bytes;
    const bytesPerSecond = this.#state === 'downloading' ? this.#speed.bytesPerSecond() : 0;
    const left = bytes === null || bytesPerSecond === 0 ? null : Math.ceil((bytes - this.#received) / bytesPerSecond);
    return {
      name: this.wanted.name,
      ...(adapter && sha256 !== undefined && { adapter: { name: adapter.name, sha256 } }),
      state: this.#state,
      bytes,
      received: this.#received,
      bytesPerSecond,
      secondsLeft: left,
      sources: this.#source === undefined ? [] : [this.#source],
      problem: this.#problem,
      nextTryAt: this.#nextTryAt,
    };
  }

  /** Runs until it is done, fails or is stopped; never throws. */
  async run(): Promise<void> {
    if (this.#run) return;
    const stopping = new AbortController();
    this.#stopsAs = 'waiting';
    const ended = this.#fetch(stopping.signal).finally(() => {
      this.#run = undefined;
      this.#settings.onChange();
    });
    this.#run = { stopping, ended };
    await ended;
  }

  /** Leaves it alone until somebody wants it to go on; another process may go on with it by itself. */
  hold(): void {
    this.#become('paused');
  }

  /** Puts it in the queue: from now on it wants to run. */
  async wait(): Promise<void> {
    if (ACTIVE.includes(this.#state) || this.#state === 'done') return;
    await this.#run?.ended; // it has failed, and is putting its things away
    this.#become('waiting');
    await this.#partial.setPaused(false);
  }

  /** Does not wait any longer for the internet. @returns whether it did wait */
  tryNow(): boolean {
    if (this.#state !== 'offline') return false;
    this.#run?.fetch?.tryNow();
    return true;
  }

  /** Stops it, and keeps what is there; a later process does not go on with it by itself. */
  async pause(): Promise<void> {
    await this.#stop('paused');
    if (this.#state === 'paused') await this.#partial.setPaused(true);
  }

  /** Stops it, and keeps what is there: it wants to go on. */
  async stop(): Promise<void> {
    await this.#stop('waiting');
  }

  /** Stops it and deletes what is there. */
  async discard(): Promise<void> {
    await this.#stop('paused');
    if (this.#state !== 'done') await this.#partial.remove();
  }

  /** Takes other addresses of the same file. */
  async redirect(wanted: WantedModel, from: SourceChoice): Promise<void> {
    await this.#partial.setWanted(wanted, from);
  }

  async #stop(as: 'waiting' | 'paused'): Promise<void> {
    this.#stopsAs = as;
    if (this.#state === 'waiting') this.#become(as);
    this.#run?.stopping.abort(new QuarryError({ code: 'CANCELLED', message: say('download.stopped') }));
    await this.#run?.ended;
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    let sources: ByteSource[] = [];
    this.#speed.reset();
    this.#become('downloading');
    try {
      sources = this.#sources();
      await this.#renew();
      const fetch = new ModelFetch(this.#partial, this.#settings, {
        onBytes: (count) => this.#onBytes(count),
        onSource: (name) => {
          this.#source = name;
        },
        onProblem: (problem) => this.#onProblem(problem),
        onOffline: (waitMs) => this.#become('offline', this.#problem, waitMs === null ? null : Date.now() + waitMs),
        onVerifying: () => this.#become('verifying'),
      });
      if (this.#run) this.#run.fetch = fetch;
      await fetch.run(sources, signal);
      this.#become('done');
    } catch (error) {
      if (signal.aborted) this.#become(this.#stopsAs);
      else await this.#fail(error);
    } finally {
      await Promise.allSettled(sources.map((source) => source.close()));
    }
  }

  /** A run that failed may have deleted the file, or a person did. */
  async #renew(): Promise<void> {
    if (await this.#partial.intact()) return;
    const { wanted, from } = this.#partial.state;
    this.#partial = await PartialFile.create(this.#settings.folder, wanted, from);
  }

  async #fail(error: unknown): Promise<void> {
    const problem = explainDownloadError(error, this.#settings.folder);
    this.#settings.log.warn({ model: this.wanted.name, err: problem }, 'download failed');
    const full = problem.code === 'DISK_FULL';
    this.#become(full ? 'paused' : 'failed', problemOf(problem));
    if (full) await this.#partial.setPaused(true).catch(ignoring('there may be no room for that either'));
  }

  #sources(): ByteSource[] {
    const { wanted, from } = this.#partial.state;
    const sources = this.#settings.sources(wanted);
    return from === 'anywhere' ? sources : sources.filter(({ kind }) => kind === from);
  }

  #onBytes(count: number): void {
    this.#received = this.#partial.received;
    this.#speed.add(count);
    this.#settings.onChange();
  }

  /** One that waits for the internet does so until something comes, or somebody answers. */
  #onProblem(problem: DownloadProblem | null): void {
    const still = this.#state === 'offline' && problem?.fault === 'offline';
    this.#become(still ? 'offline' : 'downloading', problem);
  }

  #become(state: Download['state'], problem: DownloadProblem | null = null, nextTryAt: number | null = null): void {
    const same = this.#state === state && this.#problem === problem && this.#nextTryAt === nextTryAt;
    this.#state = state;
    this.#problem = problem;
    this.#nextTryAt = nextTryAt;
    this.#received = this.#partial.received;
    if (!same) this.#settings.onChange();
  }
}
