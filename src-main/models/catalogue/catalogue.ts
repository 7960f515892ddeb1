import { open } from 'node:fs/promises';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Said, say, type Words } from '../../../src-preload/contract/saying.ts';
import { nearestOf } from '../../base/nearest.ts';
import { valueFault } from '../../base/value-fault.ts';
import { hubFileAddress } from '../hub-address.ts';
import type { Pins } from '../pins.ts';
import type { WantedModel } from '../wanted-model.ts';
import { type CatalogueEntry, catalogueFileSchema } from './catalogue-schema.ts';

const MAX_FILE_BYTES = 1 << 20;

export interface CatalogueOptions {
  /** The catalogue that Quarry comes with. */
  bundled: string;
  /** Further catalogue files; an entry replaces the one of the same name before it. */
  files: string[];
  /** Where repositories are: https://huggingface.co, or a mirror with the same paths. */
  endpoint: string;
  /** What entries without a SHA-256 were when they were first downloaded. */
  pins: Pins;
}

/** The models that Quarry knows of before they are on the disk. */
export class Catalogue {
  readonly #entries: Map<string, CatalogueEntry>;
  readonly #bundled: ReadonlySet<CatalogueEntry>;
  readonly #endpoint: string;
  readonly #pins: Pins;

  private constructor(
    entries: Map<string, CatalogueEntry>,
    bundled: ReadonlySet<CatalogueEntry>,
    { endpoint, pins }: CatalogueOptions,
  ) {
    this.#entries = entries;
    this.#bundled = bundled;
    this.#endpoint = endpoint.replace(/\/+$/, '');
    this.#pins = pins;
  }

  /** @throws CONFIG_INVALID naming file, entry and field */
  static async load(options: CatalogueOptions): Promise<Catalogue> {
    await options.pins.open();
    const bundled = await readCatalogue(options.bundled);
    const entries = new Map(bundled.map((entry) => [entry.name, entry]));
    for (const file of options.files) {
      for (const entry of await readCatalogue(file)) entries.set(entry.name, entry);
    }
    return new Catalogue(entries, new Set(bundled), options);
  }

  /** In the order of the files. */
  get entries(): CatalogueEntry[] {
    return [...this.#entries.values()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @throws MODEL_NOT_FOUND with the name that was probably meant, if one is near */
  find(name: string): CatalogueEntry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    const names = [...this.#entries.keys()];
    const meant = nearestOf(name, names);
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: say('library.notInCatalogue', { name }),
      hint: meant
        ? say('library.meant', { meant })
        : say(names.length > 0 ? 'library.seeCatalogue' : 'library.emptyCatalogue'),
      field: 'name',
    });
  }

  bySha256(sha256: string): CatalogueEntry | undefined {
    return this.entries.find((entry) => this.sha256Of(entry) === sha256);
  }

  /** What the catalogue says, else what the first download had; 64 hex. */
  sha256Of({ name, sha256 }: CatalogueEntry): string | undefined {
    return sha256 ?? this.#pins.of(name);
  }

  /** Where the entry's file is, before its mirrors. */
  urlOf({ url, repository = '', revision = 'main', file = '' }: CatalogueEntry): string {
    return url ?? hubFileAddress(this.#endpoint, repository, revision, file);
  }

  /** The keys of what Quarry's own catalogue says of a model; a user's file says it in no language but its own. */
  saidOf(entry: CatalogueEntry): { said?: Said } {
    return this.#bundled.has(entry) ? { said: { description: { key: `catalogue.${entry.name}` } } } : {};
  }

  /** @throws MODEL_NOT_FOUND */
  wanted(name: string): WantedModel {
    const entry = this.find(name);
    const { mirrors, bytes, licence } = entry;
    const sha256 = this.sha256Of(entry);
    return { name, urls: [this.urlOf(entry), ...mirrors], bytes, sha256, pin: sha256 === undefined, licence };
  }
}

async function readCatalogue(path: string): Promise<CatalogueEntry[]> {
  return parseCatalogue(await readBounded(path), path);
}

/** The entries in a catalogue's text. @param path for the error @throws CONFIG_INVALID naming file, entry and field */
export function parseCatalogue(text: string, path: string): CatalogueEntry[] {
  const { data, error } = catalogueFileSchema.safeParse(parseJson(text, path));
  if (error) throw invalid(path, firstIssue(error));
  const names = data.models.map(({ name }) => name.toLowerCase()); // they become file names, which may ignore case
  const twice = data.models.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice) throw invalid(path, say('library.twoModels', { name: twice.name }));
  return data.models;
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error) => {
    throw invalid(path, say('library.notOpened'), error);
  });
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw invalid(path, say('library.tooLarge', { size, most: MAX_FILE_BYTES }));
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    if (position === undefined) throw invalid(path, say('library.noJson'));
    const line = String(text.slice(0, Number(position)).split('\n').length);
    throw invalid(path, say('library.noJsonLine', { line }));
  }
}

/**
 * The first thing that is wrong, by its place. Nothing of the file is repeated: any file of this computer may have been named,
 * by somebody who hopes to read it here.
 */
function firstIssue({ issues: [issue] }: z.ZodError): Words {
  if (!issue || (issue.path.length === 0 && issue.code === 'invalid_type')) return say('library.noCatalogue');
  const fault = issue.code === 'unrecognized_keys' ? say('library.otherFields') : valueFault(issue);
  const [list, index, ...field] = issue.path;
  if (list !== 'models' || typeof index !== 'number') return atField(issue.path, fault);
  return say('library.atModel', { number: String(index + 1), fault: atField(field, fault) });
}

function atField(path: readonly PropertyKey[], fault: Words): Words {
  return path.length > 0 ? say('library.atField', { field: path.join('.'), fault }) : fault;
}

function invalid(path: string, why: Words, cause?: unknown): QuarryError {
  return new QuarryError(
    {
      code: 'CONFIG_INVALID',
      message: say('library.badCatalogue', { path, why }),
      hint: say('library.catalogueHow'),
      field: 'models.catalogues',
    },
    { cause },
  );
}
