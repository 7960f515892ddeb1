import { realpath, rm, stat } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { syncFile } from '../../base/atomic-file.ts';
import type { Pins } from '../pins.ts';
import type { WantedModel } from '../wanted-model.ts';
import { shownAddress } from '../wanted-model.ts';
import type { FileHashes } from './file-hashes.ts';
import { failureOf, type LongWork, progressOver } from './long-work.ts';
import type { FolderModel, ModelFacts, ModelFolder } from './model-folder.ts';
import { type Link, linkOrCopy } from './place-file.ts';

export interface ModelIntakeOptions {
  folder: ModelFolder;
  hashes: FileHashes;
  pins: Pins;
  link: Link;
  now: () => number;
}

/** How a file was taken in: it got a second name, was copied, is used where it is, or the model was here already. */
export type Taken = 'linked' | 'copied' | 'outside' | 'known';

/** How files get into the model folder: complete, hashed, and under a name that no other model has. */
export class ModelIntake {
  readonly #options: ModelIntakeOptions;

  constructor(options: ModelIntakeOptions) {
    this.#options = options;
  }

  /** @throws BAD_REQUEST when another model has the name, DISK_FULL, CANCELLED; nothing is left behind then */
  async import(
    source: string,
    name: string,
    { signal, onProgress }: LongWork,
  ): Promise<{ model: FolderModel; taken: Taken }> {
    const { folder, hashes, link } = this.#options;
    const temporary = folder.importingPath(name);
    try {
      await folder.make();
      const path = await realpath(source);
      const onBytes = progressOver((await stat(path)).size, onProgress);
      const copied = await linkOrCopy(path, temporary, { link, signal, onBytes });
      const sha256 = copied ?? (await hashes.read(temporary, signal, onBytes));
      const same = await this.#same(name, sha256);
      const model = await this.#accept(temporary, name, same, { sha256, origin: 'imported' });
      return { model, taken: same ? 'known' : copied === undefined ? 'linked' : 'copied' };
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Remembers a file that stays where it is. @throws BAD_REQUEST when another model has the name, CANCELLED */
  async useInPlace(
    source: string,
    name: string,
    { signal, onProgress }: LongWork,
  ): Promise<{ model: FolderModel; taken: Taken }> {
    const { folder, hashes, now } = this.#options;
    try {
      await folder.make();
      const path = await realpath(source);
      const sha256 = await hashes.read(path, signal, progressOver((await stat(path)).size, onProgress));
      const same = await this.#same(name, sha256);
      if (same) return { model: same, taken: 'known' };
      const facts = { sha256, origin: 'imported' as const, importedAt: now() };
      return { model: await folder.acceptOutside(path, name, facts), taken: 'outside' };
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  /** @throws MODEL_INVALID when it is not what its name is held to, BAD_REQUEST when another model has the name */
  async adopt(
    partial: string,
    wanted: WantedModel,
    download: { sha256: string; source: string },
  ): Promise<FolderModel> {
    const { name, licence } = wanted;
    const { sha256, source } = download;
    const same = await this.#same(name, sha256);
    if (wanted.pin) await this.#options.pins.hold(name, sha256);
    await syncFile(partial);
    const facts = { sha256, origin: 'downloaded' as const, source: shownAddress(source), licence };
    return await this.#accept(partial, name, same, facts);
  }

  /** The model of this name, which must be the same; undefined when there is none. @throws BAD_REQUEST */
  async #same(name: string, sha256: string): Promise<FolderModel | undefined> {
    const existing = await this.#options.folder.describe(name);
    if (existing && existing.sha256 !== sha256) throw nameTaken(name);
    return existing;
  }

  async #accept(
    file: string,
    name: string,
    same: FolderModel | undefined,
    facts: Omit<ModelFacts, 'importedAt'>,
  ): Promise<FolderModel> {
    const { folder, now } = this.#options;
    const dated = { ...facts, importedAt: now() };
    if (!same) return await folder.accept(file, name, dated);
    await rm(file);
    return await folder.annotate(same, dated);
  }
}

function nameTaken(name: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('library.nameTaken', { name }),
    hint: say('library.rename'),
    field: 'name',
  });
}
