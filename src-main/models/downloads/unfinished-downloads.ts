import { readdir } from 'node:fs/promises';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import { removeLeftovers } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ignoring } from '../../base/swallowed.ts';
import { explainUnread, problemOf } from './download-problems.ts';
import { downloadOfFile, isUnfinishedState } from './download-record.ts';
import { PartialFile } from './partial-file.ts';

/** What was not complete when the node ended. What cannot be read now is left alone: it may be gigabytes. */
export class UnfinishedDownloads {
  readonly #folder: string;
  /** By name in lower case. */
  readonly #unread = new Map<string, { name: string; problem: QuarryError }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Those that cannot be read, as failed. */
  get unread(): Download[] {
    return [...this.#unread.values()].map(failedDownload);
  }

  /** Those that can be read, in the order in which they were begun. */
  async load(): Promise<PartialFile[]> {
    await makeFolder(this.#folder);
    await removeLeftovers(this.#folder, isUnfinishedState);
    const found: PartialFile[] = [];
    for (const name of (await readdir(this.#folder)).map(downloadOfFile)) {
      const partial =
        name === undefined ? undefined : await this.#load(name).catch(ignoring('listed with its problem'));
      if (partial) found.push(partial);
    }
    return found.sort((a, b) => a.state.begunAt - b.state.begunAt);
  }

  /** One that could not be read before. Undefined when there is none of that name. @throws DOWNLOAD_FAILED */
  async retry(name: string): Promise<PartialFile | undefined> {
    const unread = this.#unread.get(name.toLowerCase());
    return unread && (await this.#load(unread.name));
  }

  /** Deletes one that cannot be read. @returns whether there was one */
  async erase(name: string): Promise<boolean> {
    const unread = this.#unread.get(name.toLowerCase());
    if (!unread) return false;
    await PartialFile.erase(this.#folder, unread.name);
    this.#unread.delete(name.toLowerCase());
    return true;
  }

  /** @throws what is wrong with one that cannot be read */
  check(name: string): void {
    const unread = this.#unread.get(name.toLowerCase());
    if (unread) throw unread.problem;
  }

  async #load(name: string): Promise<PartialFile | undefined> {
    const key = name.toLowerCase();
    try {
      const partial = await PartialFile.load(this.#folder, name);
      this.#unread.delete(key);
      return partial;
    } catch (error) {
      const problem = explainUnread(name, error);
      this.#unread.set(key, { name, problem });
      throw problem;
    }
  }
}

function failedDownload({ name, problem }: { name: string; problem: QuarryError }): Download {
  const still = { bytes: null, received: 0, bytesPerSecond: 0, secondsLeft: null, sources: [], nextTryAt: null };
  return { name, state: 'failed', ...still, problem: problemOf(problem) };
}
