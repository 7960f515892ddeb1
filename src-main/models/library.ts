import { copyFile, link, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { checkModelFile, sha256OfFile } from '../inference/model-file.ts';

/** A model file that this node can load. */
export interface ModelFile {
  name: string;
  path: string;
  bytes: number;
  sha256: string;
  /** The built-in model that is only for trying things out. */
  tiny: boolean;
}

/** What an import remembers beside the file, so that listing does not hash gigabytes again. */
const noteSchema = z.object({ sha256: z.string().length(64), bytes: z.number(), importedAt: z.number() });

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const TINY_MODEL_NAME = 'tiny';
/** Names that mean something else to whoever asks for a model: the built-in one, this node's own, anybody's. */
const RESERVED_NAMES = [TINY_MODEL_NAME, 'local', 'mesh'];

export interface ModelLibraryOptions {
  /** Folder of imported models; made when first needed. */
  folder: string;
  /** The built-in model's file. */
  tinyPath: string;
  now: () => number;
}

/** The models on this machine's disk: a folder of GGUF files and the built-in one. */
export class ModelLibrary {
  readonly #options: ModelLibraryOptions;

  constructor(options: ModelLibraryOptions) {
    this.#options = options;
  }

  /** Imported models, the newest first, then the built-in one. */
  async list(): Promise<ModelFile[]> {
    const files = await readdir(this.#options.folder).catch(() => []);
    const found = await Promise.all(files.filter((file) => file.endsWith('.gguf')).map((file) => this.#describe(file)));
    const imported = found.filter((entry) => entry !== undefined).sort((a, b) => b.importedAt - a.importedAt);
    return [...imported.map(({ importedAt: _, ...model }) => model), await this.#tiny()];
  }

  /**
   * The model that a setting means: a name from the library, or a path of a GGUF file. Without one, the model imported
   * last, else the built-in one.
   * @throws MODEL_NOT_FOUND naming what there is
   */
  async find(wanted?: string): Promise<ModelFile> {
    const models = await this.list();
    const found = wanted === undefined ? models[0] : models.find((model) => model.name === wanted);
    if (found) return found;
    if (wanted?.endsWith('.gguf')) return await this.#outside(wanted);
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: `There is no model named «${wanted}» here.`,
      hint: `Choose one of: ${models.map((model) => model.name).join(', ')}; or give the path of a .gguf file.`,
      field: 'model',
    });
  }

  /**
   * Takes a GGUF file into the library: checked, hashed, then linked (same drive) or copied, and named only when whole.
   * Of a symbolic link, the file that it points to.
   * @throws MODEL_INVALID when it is no GGUF file; MODEL_NOT_FOUND when it is not there; BAD_REQUEST for a bad name
   */
  async import(source: string, name = basename(source).replace(/\.gguf$/i, '')): Promise<ModelFile> {
    if (!NAME.test(name) || RESERVED_NAMES.includes(name.toLowerCase())) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: `«${name}» cannot be a model’s name.`,
        hint: `Use up to 100 letters, digits, dots, dashes and underscores (not ${RESERVED_NAMES.join(', ')}): --name NAME.`,
        field: 'name',
      });
    }
    await checkModelFile(source);
    const path = await realpath(source);
    await mkdir(this.#options.folder, { recursive: true });
    const target = join(this.#options.folder, `${name}.gguf`);
    const sha256 = await sha256OfFile(path);
    const existing = await this.#describe(`${name}.gguf`);
    if (existing && existing.sha256 !== sha256) {
      throw new QuarryError({
        code: 'BAD_REQUEST',
        message: `Another model named «${name}» is already in the library.`,
        hint: 'Give this one another name with --name NAME.',
        field: 'name',
      });
    }
    if (!existing) await placeFile(path, target);
    const { size: bytes } = await stat(target);
    await writeNote(target, { sha256, bytes, importedAt: this.#options.now() });
    return { name, path: target, bytes, sha256, tiny: false };
  }

  async #describe(file: string): Promise<(ModelFile & { importedAt: number }) | undefined> {
    const path = join(this.#options.folder, file);
    const { size: bytes, mtimeMs } = (await stat(path).catch(() => undefined)) ?? {};
    if (bytes === undefined || mtimeMs === undefined) return undefined;
    const kept = await readNote(path);
    // A file put here by hand, or changed since: hashed once, and remembered where the folder can be written.
    const note = kept?.bytes === bytes ? kept : { sha256: await sha256OfFile(path), bytes, importedAt: mtimeMs };
    if (note !== kept) await writeNote(path, note).catch(() => undefined);
    const { sha256, importedAt } = note;
    return { name: basename(file, '.gguf'), path, bytes, sha256, tiny: false, importedAt };
  }

  async #outside(wanted: string): Promise<ModelFile> {
    const path = resolve(wanted);
    await checkModelFile(path);
    const { size: bytes } = await stat(path);
    return { name: basename(path, '.gguf'), path, bytes, sha256: await sha256OfFile(path), tiny: false };
  }

  async #tiny(): Promise<ModelFile> {
    const { tinyPath: path } = this.#options;
    const { size: bytes } = await stat(path);
    return { name: TINY_MODEL_NAME, path, bytes, sha256: await sha256OfFile(path), tiny: true };
  }
}

type Note = z.infer<typeof noteSchema>;

async function readNote(model: string): Promise<Note | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(`${model}.json`, 'utf8')));
  } catch {
    return undefined; // not there, written by hand or torn: the file is hashed again
  }
}

async function writeNote(model: string, note: Note): Promise<void> {
  await writeFile(`${model}.json`, JSON.stringify(note));
}

async function placeFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    const partial = `${target}.partial`;
    await copyFile(source, partial).catch(async (error) => {
      await rm(partial, { force: true });
      throw error;
    });
    await rename(partial, target);
  }
}
