import { lstat, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { removeLeftovers, syncFolder } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { folderUnusable } from '../folder-check.ts';
import { isReservedName, TINY_MODEL_NAME } from '../model-name.ts';
import type { FileHashes } from './file-hashes.ts';
import { type FileMark, type LibraryNote, readNote, sameMark, writeNote } from './library-note.ts';

const MODEL = '.gguf';
const NOTE = '.gguf.json';
/** A file that is being imported; downloads have files of their own. */
const IMPORTING = '.gguf.importing';
/** The note of a model whose file is elsewhere: there is nothing but the note here. */
const OUTSIDE = '.outside';
const OUTSIDE_NOTE = `${OUTSIDE}.json`;
const PINS = 'pins.json';
/** There is no model folder, or something else has its name: nothing is in it. */
const NO_FOLDER = ['ENOENT', 'ENOTDIR'];
/** The file of a note that is `<model>.json`. */
const modelOf = (note: string) => note.slice(0, -'.json'.length);

/** A model file and what its note says. */
export interface FolderModel extends LibraryNote {
  name: string;
  path: string;
  /** Names that the file has on its drive. */
  links: number;
  /** It is where somebody else keeps it. */
  outside: boolean;
}

/** Where a model’s file is, and what its note is called, without `.json`. */
interface Place {
  file: string;
  note: string;
  outside: boolean;
}

/** What is known of a model when it comes, beside what its file says itself. */
export type ModelFacts = Omit<LibraryNote, keyof FileMark | 'expected' | 'path'>;

/** A folder of GGUF files, each with a note beside it. */
export class ModelFolder {
  readonly path: string;
  readonly #hashes: FileHashes;
  readonly #log: Pick<Logger, 'warn'> | undefined;
  /** Models whose notes could not be read when they were last looked at. */
  readonly #unreadable = new Set<string>();

  constructor(path: string, hashes: FileHashes, log?: Pick<Logger, 'warn'>) {
    this.path = path;
    this.#hashes = hashes;
    this.#log = log;
  }

  /** @throws MODEL_NOT_FOUND when the folder was moved to a drive that is not there now; CONFIG_INVALID when it cannot be read */
  async names(): Promise<string[]> {
    const files = await this.#files();
    const ending = (end: string) =>
      files.filter((file) => file.endsWith(end)).map((file) => file.slice(0, -end.length));
    const names = new Set([...ending(MODEL), ...ending(OUTSIDE_NOTE)]);
    return [...names].filter((name) => !isReservedName(name));
  }

  /** Where the file of a model is, or would be. */
  async placeOf(name: string): Promise<Place> {
    const here = this.pathOf(name);
    const note = this.#outsideNote(name);
    if (await markOf(here)) return { file: here, note: here, outside: false };
    const path = (await this.#readableNote(note))?.path;
    return path === undefined ? { file: here, note: here, outside: false } : { file: path, note, outside: true };
  }

  pathOf(name: string): string {
    return join(this.path, `${name}${MODEL}`);
  }

  /** Where an import puts the file until it is whole and checked. */
  importingPath(name: string): string {
    return join(this.path, `${name}${IMPORTING}`);
  }

  /** What downloads are held to, see `Pins`. */
  get pinsPath(): string {
    return join(this.path, PINS);
  }

  /** Names of the models that somebody imported or downloaded, the newest first; those merely found here are left out. */
  async chosen(): Promise<string[]> {
    const names = await this.names();
    const notes = await Promise.all(
      names.map(async (name) => ({ name, note: await this.#readableNote((await this.placeOf(name)).note) })),
    );
    const chosen = notes.flatMap(({ name, note }) => (note && note.origin !== 'found' ? { name, ...note } : []));
    return chosen.sort((a, b) => b.importedAt - a.importedAt).map(({ name }) => name);
  }

  /** The path of a model that is here. @throws MODEL_NOT_FOUND naming what there is */
  async existing(name: string): Promise<string> {
    const names = await this.names();
    if (names.includes(name)) return (await this.placeOf(name)).file;
    throw notFound(name, names);
  }

  /** @throws MODEL_NOT_FOUND naming what there is */
  async get(name: string): Promise<FolderModel> {
    await this.existing(name);
    const model = await this.describe(name);
    if (model) return model;
    throw notFound(name, await this.names());
  }

  /** Undefined when there is no such model. One without a note, or changed since it came, is hashed and counts as found. */
  async describe(name: string): Promise<FolderModel | undefined> {
    const place = await this.placeOf(name);
    const found = await lookAt(place.file);
    if (!found) return undefined;
    const note = await this.#noteOf(place, found.mark);
    const { file: path, outside } = place;
    const model: FolderModel = { name, ...note, path, links: found.links, outside };
    return note.expected === undefined ? model : { ...model, origin: 'found', licence: undefined };
  }

  /**
   * Gives a complete file of this folder's drive its name. The note comes first: cut off between the two, it is a note
   * without a model, which {@link clean} deletes.
   */
  async accept(file: string, name: string, facts: ModelFacts): Promise<FolderModel> {
    const path = this.pathOf(name);
    const { size: bytes, mtimeMs: modifiedAt, nlink: links } = await stat(file);
    const note = { ...facts, bytes, modifiedAt };
    await writeNote(path, note);
    await rename(file, path);
    await syncFolder(this.path);
    return { name, path, ...note, links, outside: false };
  }

  /** Remembers a model whose file stays where it is. */
  async acceptOutside(path: string, name: string, facts: ModelFacts): Promise<FolderModel> {
    const { size: bytes, mtimeMs: modifiedAt, nlink: links } = await stat(path);
    const note = { ...facts, bytes, modifiedAt, path };
    await writeNote(this.#outsideNote(name), note);
    return { name, ...note, links, outside: true };
  }

  /** Changes what is said of a model that is here. */
  async annotate(model: FolderModel, facts: ModelFacts): Promise<FolderModel> {
    const { name, path, bytes, modifiedAt, links, outside } = model;
    const note = { ...facts, bytes, modifiedAt, ...(outside && { path }) };
    await writeNote(outside ? this.#outsideNote(name) : path, note);
    return { name, ...note, path, links, outside };
  }

  async remove(name: string): Promise<void> {
    const { file, note, outside } = await this.placeOf(name);
    if (!outside) await rm(file);
    await rm(`${note}.json`, { force: true });
  }

  /** @throws CONFIG_INVALID saying why it cannot be made; MODEL_NOT_FOUND when it was moved to a drive that is not there now */
  async make(): Promise<void> {
    try {
      await makeFolder(this.path);
    } catch (error) {
      throw (await this.#isLink()) ? await away(this.path, error) : folderUnusable(this.path, error);
    }
  }

  /** Deletes what a process that was killed left behind. Only for the one process that writes here. */
  async clean(): Promise<void> {
    await removeLeftovers(
      this.path,
      (file) => [`${NOTE}.`, `${OUTSIDE_NOTE}.`].some((note) => file.includes(note)) || file.startsWith(PINS),
    );
    const files = await this.#files();
    const unfinished = files.filter((file) => file.endsWith(IMPORTING));
    const notes = files.filter((file) => file.endsWith(NOTE) && !files.includes(modelOf(file)));
    const isOurs = await Promise.all(notes.map((file) => this.#readableNote(join(this.path, modelOf(file)))));
    const left = [...unfinished, ...notes.filter((_, index) => isOurs[index])];
    await Promise.all(left.map((file) => rm(join(this.path, file), { force: true })));
  }

  async #files(): Promise<string[]> {
    try {
      const entries = await readdir(this.path, { withFileTypes: true });
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!NO_FOLDER.includes(code)) throw unreadable(this.path, error);
      if (await this.#isLink()) throw await away(this.path, error);
      return [];
    }
  }

  async #isLink(): Promise<boolean> {
    return (await lstat(this.path).catch(ignoring('what it is in is no folder')))?.isSymbolicLink() ?? false;
  }

  #outsideNote(name: string): string {
    return join(this.path, `${name}${OUTSIDE}`);
  }

  async #noteOf({ file, note: path }: Place, mark: FileMark): Promise<LibraryNote> {
    const known = await this.#readableNote(path);
    if (known && sameMark(known, mark)) return known;
    const sha256 = await this.#hashes.of(file, mark);
    const found: LibraryNote = { sha256, ...mark, importedAt: mark.modifiedAt, origin: 'found' };
    try {
      const kept = await readNote(path); // hashing takes long, and somebody may have imported it
      const expected = kept && otherThan(sha256, kept.expected ?? kept.sha256);
      const note = kept ? { ...kept, ...mark, sha256, expected } : found;
      await writeNote(path, note).catch(ignoring('where nothing can be written, the hash is remembered in memory'));
      return note;
    } catch {
      return found; // the note cannot be read: it may say more, and is left as it is
    }
  }

  /** Undefined also for one that cannot be read; that is logged once. */
  async #readableNote(path: string): Promise<LibraryNote | undefined> {
    try {
      const note = await readNote(path);
      this.#unreadable.delete(path);
      return note;
    } catch (err) {
      if (!this.#unreadable.has(path))
        this.#log?.warn({ err, path }, 'the note of a model cannot be read: it counts as found');
      this.#unreadable.add(path);
      return undefined;
    }
  }
}

/** What a file had when it came, unless it has that now. */
function otherThan(now: string, then: string): string | undefined {
  return now === then ? undefined : then;
}

/** Undefined when there is no such file. */
export async function markOf(path: string): Promise<FileMark | undefined> {
  return (await lookAt(path))?.mark;
}

async function lookAt(path: string): Promise<{ mark: FileMark; links: number } | undefined> {
  const info = await stat(path).catch(ifMissing);
  if (!info?.isFile()) return undefined;
  return { mark: { bytes: info.size, modifiedAt: info.mtimeMs }, links: info.nlink };
}

function notFound(wanted: string, names: string[]): QuarryError {
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('library.noModel', { wanted }),
    hint: say('library.chooseOf', { names: [...names, TINY_MODEL_NAME] }),
    field: 'model',
  });
}

function unreadable(path: string, cause: unknown): QuarryError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new QuarryError(
    {
      code: 'CONFIG_INVALID',
      message: say('library.folderUnread', { path, why: code ?? message }),
      hint: say('library.folderPermissions'),
      field: 'models.folder',
    },
    { cause },
  );
}

async function away(path: string, cause: unknown): Promise<QuarryError> {
  return new QuarryError(
    {
      code: 'MODEL_NOT_FOUND',
      message: say('library.away', { folder: await readlink(path) }),
      hint: say('library.connectDrive'),
    },
    { cause },
  );
}
