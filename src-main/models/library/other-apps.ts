import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import type { FoundModel } from '../../../src-preload/contract/models.ts';
import { say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { pieceIn } from '../pieces.ts';

/** Where other apps keep their models on this computer. */
export interface OtherApps {
  ollama: readonly string[];
  lmStudio: readonly string[];
}

type Found = Pick<FoundModel, 'app' | 'title' | 'name' | 'path'> & {
  /** Paths of all files of a model that comes in several. */
  pieces?: string[];
};

/** A folder may hold anything: no more of it is looked at than this. */
const MOST_ENTRIES = 5_000;
const MOST_MODELS = 500;
const DEEPEST = 4;
const MOST_MANIFEST_BYTES = 1 << 18;
const GONE = ignoring('it is gone, or nobody may look at it');
const WEIGHTS = 'application/vnd.ollama.image.model';
const manifestSchema = z.object({
  layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })).max(1_000),
});

/** As these apps are installed, by their own settings too. */
export function otherApps(environment: NodeJS.ProcessEnv = process.env, home = homedir()): OtherApps {
  const { OLLAMA_MODELS } = environment;
  const usual = [join(home, '.ollama', 'models'), '/usr/share/ollama/.ollama/models'];
  return {
    ollama: OLLAMA_MODELS ? [OLLAMA_MODELS] : usual,
    lmStudio: [join(home, '.lmstudio', 'models'), join(home, '.cache', 'lm-studio', 'models')],
  };
}

/**
 * The models of other apps, largest first. Only headers are read, and nothing is changed. What cannot be used says why; folders that
 * are not there, or cannot be read, have none.
 */
export async function findModels(apps: OtherApps = otherApps()): Promise<Omit<FoundModel, 'installed'>[]> {
  const lists = await Promise.all([...apps.ollama.map(ollamaModels), ...apps.lmStudio.map(lmStudioModels)]);
  const byPath = new Map(lists.flat().map((model) => [model.path, model]));
  const models: Omit<FoundModel, 'installed'>[] = [];
  for (const model of [...byPath.values()].slice(0, MOST_MODELS)) {
    const looked = await lookAt(model);
    if (looked) models.push(looked);
  }
  return models.sort((a, b) => b.bytes - a.bytes);
}

async function lookAt({ pieces, ...model }: Found): Promise<Omit<FoundModel, 'installed'> | undefined> {
  if (pieces) {
    const sizes = await Promise.all(pieces.map(async (path) => (await stat(path).catch(GONE))?.size ?? 0));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const problem = say('gguf.inPieces', { pieces: pieces.length });
    return { ...model, bytes, quantisation: null, parameters: null, ...told({ problem }) };
  }
  const info = await stat(model.path).catch(GONE);
  if (!info?.isFile()) return undefined;
  const known = { ...model, bytes: info.size };
  try {
    const { facts } = await checkGguf(model.path);
    return { ...known, quantisation: facts.quantisation, parameters: facts.parameters, problem: null };
  } catch (error) {
    const problem = wordsOf(QuarryError.from(error), 'message');
    return { ...known, quantisation: null, parameters: null, ...told({ problem }) };
  }
}

/** By its manifests: `manifests/registry/namespace/model/tag` names the blob that has the weights. */
async function ollamaModels(folder: string): Promise<Found[]> {
  const manifests = join(folder, 'manifests');
  const found: Found[] = [];
  for (const parts of await filesBelow(manifests)) {
    const [, namespace, model, tag] = parts;
    if (parts.length !== 4 || !namespace || !model || !tag) continue;
    const digest = await weightsOf(join(manifests, ...parts));
    if (!digest) continue;
    const title = `${namespace === 'library' ? '' : `${namespace}/`}${model}:${tag}`;
    const path = join(folder, 'blobs', `sha256-${digest}`);
    found.push({ app: 'ollama', title, name: nameOf(tag === 'latest' ? model : `${model}-${tag}`), path });
  }
  return found;
}

/** 64 hex; undefined where a file is no manifest of a model. */
async function weightsOf(manifest: string): Promise<string | undefined> {
  try {
    if ((await stat(manifest)).size > MOST_MANIFEST_BYTES) return undefined;
    const { layers } = manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
    const weights = layers.find(({ mediaType }) => mediaType === WEIGHTS);
    const [kind, digest] = (weights?.digest ?? '').split(':');
    return kind === 'sha256' ? sha256Schema.safeParse(digest).data : undefined;
  } catch {
    return undefined; // it is something else
  }
}

/** GGUF files in folders by publisher and repository; projectors are none, and those of one model in several files are one. */
async function lmStudioModels(folder: string): Promise<Found[]> {
  const files = (await filesBelow(folder)).map((parts) => parts.join('/')).filter(isModel);
  const found = (title: string, path: string): Found => {
    return { app: 'lm-studio', title, name: nameOf(basename(title).replace(/\.gguf$/i, '')), path: join(folder, path) };
  };
  const isPiece = (file: string) => (pieceIn(file)?.count ?? 1) > 1;
  const whole = files.filter((file) => !isPiece(file)).map((file) => found(file, file));
  const inPieces = Map.groupBy(files.filter(isPiece), (file) => `${pieceIn(file)?.whole}.gguf`);
  const split = [...inPieces].map(([title, pieces]) => ({
    ...found(title, pieces[0] ?? title),
    pieces: pieces.map((piece) => join(folder, piece)),
  }));
  return [...whole, ...split];
}

function isModel(file: string): boolean {
  return /\.gguf$/i.test(file) && !/^mmproj/i.test(basename(file));
}

/** The files below a folder by the parts of their paths, breadth first; links to folders are not followed. */
async function filesBelow(folder: string): Promise<string[][]> {
  const files: string[][] = [];
  const folders: string[][] = [[]];
  let seen = 0;
  for (let parts = folders.shift(); parts && seen < MOST_ENTRIES; parts = folders.shift()) {
    const entries = await readdir(join(folder, ...parts), { withFileTypes: true }).catch(
      ignoring('it is not there, or nobody may look into it'),
    );
    for (const entry of (entries ?? []).slice(0, MOST_ENTRIES - seen)) {
      seen++;
      const inner = [...parts, entry.name];
      if (entry.isDirectory() && inner.length < DEEPEST) folders.push(inner);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(inner);
    }
  }
  return files;
}

/** As models may be called here. */
function nameOf(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, 100) || 'model';
}
