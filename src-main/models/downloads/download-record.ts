import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../../base/turns.ts';
import type { WantedModel } from '../wanted-model.ts';
import { type DownloadState, readState, type SourceChoice, writeState } from './download-state.ts';

const ENDING = '.download.json';

/** The download that a state file belongs to: `qwen` of `qwen.download.json`. */
export function downloadOfFile(file: string): string | undefined {
  return file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : undefined;
}

/** Where the state of a download is. */
export function recordPath(folder: string, name: string): string {
  return join(folder, name + ENDING);
}

/** Whether a file was on its way to be a state file. */
export function isUnfinishedState(file: string): boolean {
  return file.includes(`${ENDING}.`);
}

/** What is known of a download, kept in `NAME.download.json`. */
export class DownloadRecord {
  readonly #path: string;
  #state: DownloadState;
  readonly #saves = new Turns();

  private constructor(path: string, state: DownloadState) {
    this.#path = path;
    this.#state = state;
  }

  /** One that is on the disk after its first `change` only. */
  static begin(folder: string, wanted: WantedModel, from: SourceChoice): DownloadRecord {
    const { name, urls, bytes, sha256, licence, pin } = wanted;
    return new DownloadRecord(recordPath(folder, name), {
      version: 1,
      wanted: { name, urls, bytes, sha256, licence, pin },
      from,
      bytes: bytes ?? null,
      givers: {},
      done: [],
      paused: false,
      begunAt: Date.now(),
    });
  }

  /**
   * Undefined when there is none that can be trusted; what is left of it is deleted.
   * @throws what reading threw: then nothing is deleted
   */
  static async load(folder: string, name: string): Promise<DownloadRecord | undefined> {
    const path = recordPath(folder, name);
    const state = await readState(path);
    if (state?.wanted.name === name) return new DownloadRecord(path, state);
    await rm(path, { force: true });
    return undefined;
  }

  get state(): Readonly<DownloadState> {
    return this.#state;
  }

  /** Durable when it returns. */
  async change(change: Partial<DownloadState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    await this.#saves.take(() => writeState(this.#path, this.#state));
  }

  async remove(): Promise<void> {
    await this.#saves.ended();
    await rm(this.#path, { force: true });
  }
}
