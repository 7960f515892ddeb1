import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { sha256Schema } from '../../../../src-preload/contract/keys.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { sha256OfFile } from '../../../base/sha256.ts';
import { ignoring } from '../../../base/swallowed.ts';
import {
  MODEL_KINDS,
  type ModelFile,
  type ModelKind,
  type ModelManifest,
  manifestSchemas,
  readClipModel,
  spaceOf,
  writeManifest,
} from './model-manifest.ts';

const text = (most: number) => z.string().min(1).max(most);

/** A file as it is published. */
const publishedSchema = z.strictObject({
  /** `owner/name` at the hub. */
  repository: z.string().regex(/^\w[\w.-]*\/\w[\w.-]*$/),
  /** Branch, tag or commit. */
  revision: z
    .string()
    .regex(/^\w[\w.-]{0,99}$/)
    .default('main'),
  /** Path in the repository; it has its last part as its name here. */
  file: z
    .string()
    .max(500)
    .regex(/^\w[\w.-]*(\/\w[\w.-]*)*$/),
  bytes: z.int().min(1).optional(),
  sha256: sha256Schema.optional(),
});
type Published = z.infer<typeof publishedSchema>;

const entrySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,59}$/),
  title: text(100),
  description: text(500),
  licence: text(100),
  /** Of all its files together, for people: files are held to their own `bytes` where those are known for certain. */
  roughBytes: z.int().min(1),
  /** By what they are in the model; several are `beside`. */
  files: z.record(z.string(), z.union([publishedSchema, z.array(publishedSchema).max(4)])),
  /** What the model's folder will say, without name, licence and files. */
  manifest: z.looseObject({ kind: z.enum(MODEL_KINDS) }),
});
export type ClipModelEntry = z.infer<typeof entrySchema>;

const catalogueSchema = z.strictObject({ models: z.array(entrySchema).max(100) });

/** A file that is to be had. */
export interface WantedFile extends Published {
  /** In the model's folder. */
  path: string;
}

/** Models of clips that are published, in the order of the file. @param path of `models/clip-models.json` @throws what reading or its shape throws: it comes with Quarry */
export async function readClipCatalogue(path: string): Promise<ClipModelEntry[]> {
  return catalogueSchema.parse(JSON.parse(await readFile(path, 'utf8'))).models;
}

/** What a model of the catalogue is for. */
export const kindOf = ({ manifest }: ClipModelEntry): ModelKind => manifest.kind;

/** What has to be fetched for a model. */
export function wantedFiles({ files }: ClipModelEntry): WantedFile[] {
  return Object.values(files)
    .flat()
    .map((file) => ({ ...file, path: pathOf(file) }));
}

/**
 * Makes a model of files that lie in a folder: writes down what it is, with the hash of each file. Of a file whose hash the catalogue does not know, the first one counts from
 * then on. To be called when all are there; it is whole, or none.
 *
 * @throws MODEL_INVALID where a file is another than the catalogue knows; what the file system throws
 */
export async function adoptClipModel(folder: string, entry: ClipModelEntry, signal?: AbortSignal): Promise<void> {
  const files: Record<string, ModelFile | ModelFile[]> = {};
  for (const [role, published] of Object.entries(entry.files)) {
    const found: ModelFile[] = [];
    for (const one of [published].flat()) found.push(await adopted(folder, one, signal));
    files[role] = Array.isArray(published) ? found : (found[0] as ModelFile);
  }
  const { name, licence, manifest } = entry;
  const whole: ModelManifest = manifestSchemas[manifest.kind].parse({ ...manifest, name, licence, files });
  await writeManifest(folder, { ...whole, ...(await measuredBefore(folder, whole)) } as ModelManifest);
}

/** What was measured here with the very same files. */
async function measuredBefore(folder: string, whole: ModelManifest): Promise<Partial<ModelManifest>> {
  if (whole.kind !== 'pictures' && whole.kind !== 'sounds') return {};
  const before = await readClipModel(folder, whole.kind).catch(ignoring('what made no sense is replaced'));
  if (!before || spaceOf(before.manifest) !== spaceOf(whole)) return {};
  const { thresholds, measured } = before.manifest;
  return { thresholds, measured };
}

/** @throws MODEL_INVALID where it is another; what the file system throws */
async function adopted(folder: string, published: Published, signal?: AbortSignal): Promise<ModelFile> {
  const path = pathOf(published);
  const { size: bytes } = await stat(join(folder, path));
  if (bytes !== (published.bytes ?? bytes)) throw otherFile(path, folder);
  const sha256 = await sha256OfFile(join(folder, path), signal);
  if (sha256 !== (published.sha256 ?? sha256)) throw otherFile(path, folder);
  return { path, sha256, bytes };
}

const pathOf = ({ file }: Published): string => file.slice(file.lastIndexOf('/') + 1);

function otherFile(file: string, folder: string): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: say('clipModels.otherFile', { file, folder }),
    hint: say('clipModels.fetchAgain'),
  });
}
