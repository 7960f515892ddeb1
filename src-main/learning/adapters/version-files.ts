import { randomBytes } from 'node:crypto';
import { constants, copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { sha256OfFile } from '../../base/sha256.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { ADAPTER_GGUF, OPTIMIZER, PEFT_CONFIG, PEFT_TENSORS } from '../formats/adapter-files.ts';
import { folderName, idOfFolder } from './version-id.ts';

const NEEDED = [ADAPTER_GGUF, PEFT_TENSORS, PEFT_CONFIG];
/** In a folder whose version is not written down yet: what is left of it after a kill is deleted. */
const PENDING = '.pending';
/** Folders that are looked at beside each other: thousands one by one take seconds of each start. */
const AT_ONCE = 64;
const STAGING = /^[0-9a-f]{12}\.tmp$/;

/** Files of a version that are ready, on the disk to their last byte, and not yet at their place. */
export interface StagedVersion {
  folder: string;
  ggufSha256: string;
  peftSha256: string;
  /** Of all files. */
  bytes: number;
}

/**
 * The files of versions, a folder each. A folder gets its name with a mark in it, which goes when the version is written down in the database: a kill leaves a
 * version that is whole, or a folder that {@link VersionFiles.open} deletes.
 */
export class VersionFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Where the files of a version lie. */
  of(id: string): string {
    return join(this.folder, folderName(id));
  }

  /** What llama.cpp loads. No two versions ever share the path: it remembers adapters by it. */
  gguf(id: string): string {
    return join(this.of(id), ADAPTER_GGUF);
  }

  /**
   * Deletes what was cut off, and finishes what was written down. A folder without mark that no version belongs to stays: its database may have been replaced.
   * @param states of versions by their ids, all at once: whether their files should be there
   */
  async open(states: () => Promise<ReadonlyMap<string, 'there' | 'deleted'>>): Promise<void> {
    const entries = (await readdir(this.folder, { withFileTypes: true }).catch(ifMissing)) ?? [];
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    if (names.length === 0) return;
    const known = await states();
    const settle = async (name: string) => {
      const id = idOfFolder(name);
      if (STAGING.test(name)) await this.#remove(join(this.folder, name));
      else if (id !== undefined) await this.#settle(id, known.get(id));
    };
    for (let at = 0; at < names.length; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(settle));
  }

  async #settle(id: string, state: 'there' | 'deleted' | undefined): Promise<void> {
    const isPending = await exists(join(this.of(id), PENDING));
    if (state === 'there' && isPending) await this.settled(id);
    if (state === 'deleted' || (state === undefined && isPending)) await this.remove(id);
  }

  /** Whether something lies at its place already. */
  async isTaken(id: string): Promise<boolean> {
    return await exists(this.of(id));
  }

  /**
   * Makes a folder for files that `fill` puts there; whatever fails leaves nothing.
   * @param fill puts in what {@link ADAPTER_GGUF}, {@link PEFT_TENSORS} and {@link PEFT_CONFIG} name, and maybe {@link OPTIMIZER}
   */
  async stage(fill: (folder: string) => Promise<void>): Promise<StagedVersion> {
    const folder = this.#stagingFolder();
    await makeFolder(this.folder, 0o700);
    try {
      await makeFolder(folder, 0o700);
      await fill(folder);
      await writeFile(join(folder, PENDING), '');
      const files = await readdir(folder);
      let bytes = 0;
      for (const file of files) {
        await syncFile(join(folder, file));
        bytes += (await stat(join(folder, file))).size;
      }
      await syncFolder(folder);
      const [ggufSha256, peftSha256] = [
        await sha256OfFile(join(folder, ADAPTER_GGUF)),
        await sha256OfFile(join(folder, PEFT_TENSORS)),
      ];
      return { folder, ggufSha256, peftSha256, bytes };
    } catch (error) {
      await this.discard({ folder });
      throw error;
    }
  }

  /** An empty folder for as long as the work takes. */
  async withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.makeScratch();
    try {
      return await work(folder);
    } finally {
      await this.#remove(folder);
    }
  }

  /** The same for who takes it away again; what a kill leaves of it is cleared away by {@link open}. */
  async makeScratch(): Promise<string> {
    const folder = this.#stagingFolder();
    await makeFolder(this.folder, 0o700);
    await makeFolder(folder, 0o700);
    return folder;
  }

  /** Copies of a folder's files, which stays as it is: what a trainer goes on from is not taken from it. */
  async copy(from: string, to: string): Promise<void> {
    for (const name of NEEDED) await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
    const optimizer = join(from, OPTIMIZER);
    if (await exists(optimizer)) await copyFile(optimizer, join(to, OPTIMIZER), constants.COPYFILE_FICLONE);
  }

  /** Gives them their place, still with the mark. @throws when something is there */
  async place({ folder }: StagedVersion, id: string): Promise<void> {
    await rename(folder, this.of(id));
    await syncFolder(this.folder);
  }

  /** Takes the mark away: the version is written down. */
  async settled(id: string): Promise<void> {
    await rm(join(this.of(id), PENDING), { force: true });
  }

  /** Idempotent. */
  async discard({ folder }: Pick<StagedVersion, 'folder'>): Promise<void> {
    await this.#remove(folder);
  }

  /** Away from its place first: what a kill leaves of it is known by its name. Idempotent. */
  async remove(id: string): Promise<void> {
    const folder = this.#stagingFolder();
    const moved = await rename(this.of(id), folder).then(() => true, ifMissing);
    if (moved) await this.#remove(folder);
  }

  #stagingFolder(): string {
    return join(this.folder, `${randomBytes(6).toString('hex')}.tmp`);
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ifMissing)) !== undefined;
}
