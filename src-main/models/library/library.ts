import { link, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import { Turns } from '../../base/turns.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { type DiskUse, modelsUse, partialDownloads } from '../disk-use.ts';
import { folderUnusable } from '../folder-check.ts';
import { checkModelName, TINY_MODEL_NAME } from '../model-name.ts';
import { Pins } from '../pins.ts';
import type { WantedModel } from '../wanted-model.ts';
import { FileHashes } from './file-hashes.ts';
import { LibraryLock } from './library-lock.ts';
import { readNote } from './library-note.ts';
import { type LongWork, progressOver } from './long-work.ts';
import { type FolderModel, ModelFolder } from './model-folder.ts';
import { ModelIntake, type Taken } from './model-intake.ts';
import { finishMove, moveFolder } from './move-folder.ts';
import type { Link } from './place-file.ts';

/** A model file that this node can load. */
export interface ModelFile {
  name: string;
  path: string;
  bytes: number;
  sha256: string;
  /** The built-in model that is only for trying things out. */
  tiny: boolean;
  /** How it came here. One that was merely `found` in the folder is loaded only by name. */
  origin: 'imported' | 'downloaded' | 'found' | 'built-in';
  /** SPDX identifier, or a name such as `gemma`; where its download said it. */
  licence?: string;
  /** Names that the file has on its drive, this one among them: with 1, its bytes are gone when it is deleted. */
  links: number;
  /** Another app keeps it: it is used where it is, and never deleted. */
  outside: boolean;
}

/** A model that was just taken in, and how: its file got a second name, was copied, or was here already. */
export interface ImportedFile extends ModelFile {
  taken: Taken;
}

export interface ModelLibraryOptions {
  /** Folder of imported models; made when first needed. */
  folder: string;
  /** The built-in model's file. */
  tinyPath: string;
  now: () => number;
  /** Refuses a file that is no usable model, with MODEL_INVALID. Default {@link checkGguf}. */
  check?: (path: string) => Promise<unknown>;
  /** Default `link` of node:fs/promises. */
  link?: Link;
  /** Free bytes on the drive of a folder that need not exist. Default: asks the system. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Told of models that cannot be read, and of a move that could not be ended. Default: nobody is. */
  log?: Pick<Logger, 'warn'>;
}

/** What a model is, and what it should be; 64 hex. */
export interface Verification {
  ok: boolean;
  found: string;
  expected: string;
}

/** The models on this machine's disk: a folder of GGUF files and the built-in one. */
export class ModelLibrary {
  /** What downloads without a known SHA-256 were the first time. */
  readonly pins: Pins;
  readonly #options: Required<Omit<ModelLibraryOptions, 'log'>> & Pick<ModelLibraryOptions, 'log'>;
  readonly #folder: ModelFolder;
  readonly #hashes = new FileHashes();
  readonly #intake: ModelIntake;
  readonly #lock: LibraryLock;
  readonly #closing = new AbortController();
  /** Files that could not be read when they were last looked at. */
  readonly #unreadable = new Set<string>();
  /** What changes the folder, one after the other. */
  readonly #changes = new Turns();

  constructor({ check = checkGguf, ...options }: ModelLibraryOptions) {
    this.#options = { link, freeBytes, ...options, folder: resolve(options.folder), check };
    this.#folder = new ModelFolder(this.#options.folder, this.#hashes, options.log);
    this.#lock = new LibraryLock(this.#options.folder);
    this.pins = new Pins(this.#folder.pinsPath);
    this.#intake = new ModelIntake({ ...this.#options, folder: this.#folder, hashes: this.#hashes, pins: this.pins });
  }

  /**
   * Keeps the folder for this process, and mends what one that was killed left behind. Who only looks need not open it.
   * @throws MODELS_IN_USE when another process has it; CONFIG_INVALID when it cannot be made or read, or the pins are
   *   damaged; MODEL_NOT_FOUND when it was moved to a drive that is not there now; BAD_REQUEST when a move was cut off and the models can be given neither their old place nor the new one
   */
  async open(): Promise<void> {
    const { folder, link, log } = this.#options;
    this.#lock.take();
    try {
      await finishMove(folder, { link, lock: this.#lock, ...(log && { log }) });
      await this.#folder.make();
      this.#lock.take();
      await this.#folder.clean();
      await this.pins.open();
    } catch (error) {
      this.#lock.release();
      throw error instanceof QuarryError ? error : folderUnusable(folder, error);
    }
  }

  /** Gives up what is under way. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#hashes.close(), this.#changes.ended()]);
    this.#lock.release();
  }

  /** Names of all models that are here, the built-in one last. Reads no files. */
  async names(): Promise<string[]> {
    return [...(await this.#folder.names()), TINY_MODEL_NAME];
  }

  /**
   * Imported and downloaded models, the newest first; the built-in one; those merely found in the folder. A file that
   * cannot be read is left out.
   */
  async list(): Promise<ModelFile[]> {
    const names = await this.#folder.names();
    const described = await Promise.all(names.map((name) => this.#readable(name, () => this.#folder.describe(name))));
    const models = described.filter((model) => model !== undefined).sort((a, b) => b.importedAt - a.importedAt);
    const [found, chosen] = [models.filter(isFound), models.filter((model) => !isFound(model))];
    return [...chosen.map(modelFile), await this.#tiny(), ...found.map(modelFile)];
  }

  /**
   * The model that a setting means: a name from the library, or a path of a GGUF file. Without one, the model that was
   * imported or downloaded last, else the built-in one.
   * @throws MODEL_NOT_FOUND naming what there is
   */
  async find(wanted?: string): Promise<ModelFile> {
    if (wanted === undefined) return await this.#newest();
    if (wanted === TINY_MODEL_NAME) return await this.#tiny();
    const names = await this.#folder.names();
    if (!names.includes(wanted) && wanted.endsWith('.gguf')) return await this.#outside(wanted);
    return modelFile(await this.#folder.get(wanted));
  }

  /** The same; undefined when there is none. One that is there and cannot be used is logged, and is none either. */
  async selected(wanted?: string): Promise<ModelFile | undefined> {
    return await this.#readable(wanted ?? 'the newest', () => this.find(wanted));
  }

  /** When and from where a model of the folder came, as far as its note says it. */
  async provenance(name: string): Promise<{ source?: string; since?: number }> {
    const model = name === TINY_MODEL_NAME ? undefined : await this.#folder.describe(name);
    if (!model) return {};
    const { source, importedAt, origin } = model;
    return { since: importedAt, ...(origin === 'downloaded' && source !== undefined && { source }) };
  }

  /**
   * Takes a GGUF file into the library: checked, linked (same drive) or copied, hashed, and named only when whole.
   * Of a symbolic link, the file that it points to.
   * @throws MODEL_INVALID when it is no GGUF file; MODEL_NOT_FOUND when it is not there; BAD_REQUEST for a bad name or one
   *   that another model has; DISK_FULL; CANCELLED
   */
  async import(
    source: string,
    name = basename(source).replace(/\.gguf$/i, ''),
    work: LongWork = {},
  ): Promise<ImportedFile> {
    checkModelName(name);
    await this.#options.check(source);
    const signal = this.#until(work.signal);
    const { model, taken } = await this.#changes.take(() => this.#intake.import(source, name, { ...work, signal }));
    return { ...modelFile(model), taken };
  }

  /**
   * Takes a GGUF file into the library where it is: nothing is copied, linked or ever deleted. It is hashed.
   * @throws as {@link import}
   */
  async useInPlace(
    source: string,
    name = basename(source).replace(/\.gguf$/i, ''),
    work: LongWork = {},
  ): Promise<ImportedFile> {
    checkModelName(name);
    await this.#options.check(source);
    const signal = this.#until(work.signal);
    const { model, taken } = await this.#changes.take(() => this.#intake.useInPlace(source, name, { ...work, signal }));
    return { ...modelFile(model), taken };
  }

  /**
   * Names a download that is complete and whose SHA-256 is `sha256`, and pins it where that is wanted. The same model
   * again is dropped.
   * @param partial in the library's folder
   * @param download `source`: where it came from, an address or a few words
   * @throws MODEL_INVALID when it is no model, or not what its name is held to; BAD_REQUEST when another model has its name
   */
  async adopt(partial: string, wanted: WantedModel, download: { sha256: string; source: string }): Promise<ModelFile> {
    checkModelName(wanted.name);
    await this.#options.check(partial);
    return modelFile(await this.#changes.take(() => this.#intake.adopt(partial, wanted, download)));
  }

  /**
   * Reads a model again and compares it with what it should be.
   * @param known what the catalogue says, 64 hex. Default: what the model was when it came
   * @throws MODEL_NOT_FOUND; CONFIG_INVALID when the model's note, which would say it, cannot be read; CANCELLED
   */
  async verify(name: string, { signal, onProgress }: LongWork = {}, known?: string): Promise<Verification> {
    const { path, note } = await this.#toVerify(name);
    const was = known ?? (await expectedOf(note));
    const { size } = await stat(path);
    const found = await this.#hashes.read(path, signal, progressOver(size, onProgress));
    const expected = was ?? found;
    return { ok: found === expected, found, expected };
  }

  /**
   * Deletes a model.
   * @param loaded paths of those that are loaded, asked when it matters
   * @throws MODEL_NOT_FOUND; BAD_REQUEST for the built-in one and for one that is loaded
   */
  async remove(name: string, loaded: () => readonly string[] = () => []): Promise<void> {
    if (name === TINY_MODEL_NAME) throw badRequest(say('library.builtIn'));
    await this.#changes.take(async () => {
      const path = await this.#folder.existing(name);
      if (loaded().includes(path)) {
        throw badRequest(say('library.loaded', { name }), say('library.chooseAnother'));
      }
      await this.#folder.remove(name);
    });
  }

  async diskUse(): Promise<DiskUse> {
    const { folder } = this.#options;
    const names = await this.#folder.names();
    return {
      folder,
      free: await this.#options.freeBytes(folder),
      models: await modelsUse(names.map((name) => ({ name, path: this.#folder.pathOf(name) }))),
      partial: await partialDownloads(folder),
    };
  }

  /**
   * Moves the whole folder, to another drive perhaps, and leaves a link in its place. Downloads must not be running.
   * @throws BAD_REQUEST when it cannot go there, DISK_FULL, CANCELLED; everything is as before then
   */
  async moveTo(folder: string, work: LongWork = {}): Promise<void> {
    await this.#changes.take(async () => {
      await this.#folder.names(); // the folder as it is must be in reach
      const { folder: from, link, freeBytes } = this.#options;
      const signal = this.#until(work.signal);
      await moveFolder({ folder: from, to: folder, link, freeBytes, lock: this.#lock, ...work, signal });
    });
  }

  /** A model that cannot be read must not take the others away: it is undefined, and logged once. */
  async #readable<T>(model: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const found = await look();
      this.#unreadable.delete(model);
      return found;
    } catch (err) {
      const told = this.#unreadable.has(model) || this.#closing.signal.aborted;
      if (QuarryError.from(err).code === 'MODEL_NOT_FOUND' || told) return undefined;
      this.#unreadable.add(model);
      this.#options.log?.warn({ err, model }, 'a model of the library cannot be read and is left out');
      return undefined;
    }
  }

  async #newest(): Promise<ModelFile> {
    for (const name of await this.#folder.chosen()) {
      const model = await this.#folder.describe(name);
      if (model && !isFound(model)) return modelFile(model);
    }
    return await this.#tiny();
  }

  async #outside(wanted: string): Promise<ModelFile> {
    const path = resolve(wanted);
    await this.#options.check(path);
    return { ...(await this.#fileAt(path)), name: basename(path, '.gguf'), tiny: false, origin: 'imported' };
  }

  async #tiny(): Promise<ModelFile> {
    return { ...(await this.#fileAt(this.#options.tinyPath)), name: TINY_MODEL_NAME, tiny: true, origin: 'built-in' };
  }

  async #fileAt(path: string): Promise<Pick<ModelFile, 'path' | 'bytes' | 'sha256' | 'links' | 'outside'>> {
    const { size: bytes, mtimeMs: modifiedAt, nlink: links } = await stat(path);
    return { path, bytes, links, outside: false, sha256: await this.#hashes.of(path, { bytes, modifiedAt }) };
  }

  /** @throws MODEL_NOT_FOUND */
  async #toVerify(name: string): Promise<{ path: string; note: string }> {
    const { tinyPath } = this.#options;
    if (name === TINY_MODEL_NAME) return { path: tinyPath, note: tinyPath };
    await this.#folder.existing(name);
    const { file: path, note } = await this.#folder.placeOf(name);
    return { path, note };
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
  }
}

const isFound = ({ origin }: FolderModel) => origin === 'found';

function modelFile({ name, path, bytes, sha256, origin, licence, links, outside }: FolderModel): ModelFile {
  return { name, path, bytes, sha256, tiny: false, origin, licence, links, outside };
}

/** What a model's note says that it should be; undefined without one. @throws CONFIG_INVALID when it cannot be read */
async function expectedOf(path: string): Promise<string | undefined> {
  try {
    const note = await readNote(path);
    return note?.expected ?? note?.sha256;
  } catch (error) {
    throw notKnown(`${path}.json`, error);
  }
}

function notKnown(note: string, cause: unknown): QuarryError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new QuarryError(
    {
      code: 'CONFIG_INVALID',
      message: say('library.notKnown', { note, why: code ?? message }),
      hint: say('library.mendNote', { note }),
    },
    { cause },
  );
}

function badRequest(message: Words, hint?: Words): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'name' });
}
