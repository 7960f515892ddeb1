import { readFile, writeFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { installedPath } from '../../base/installation.ts';
import { ignoring } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { ModelLibrary } from '../../models/library/library.ts';
import { TINY_MODEL_NAME } from '../../models/model-name.ts';

/** A file up to this size is small, in bytes: two engines may hold it, and it may go from node to node. */
const SMALL_BYTES = 200_000_000;
/** Share of the memory that is free that the weights may take. */
const MEMORY_SHARE = 0.4;
/** The built-in model's name in its file, and that of its copy: as long, so that nothing else in the file moves. */
const BUILT_IN = 'Quarry tiny';
const COPY = 'Quarry demo';

/** What the main worker serves, and the file that it passes on. */
export interface DemoModel {
  /** For the setting `model`: a path, or the built-in model's name. */
  model: string;
  real: boolean;
  /** What the second worker serves: the same where it is small, else the built-in model. */
  second: string;
  /** Path of the file that is shared: others have to have a use for it, so it is never the built-in model. */
  sharedFile: string;
}

/**
 * Real weights where there are some: the model that the settings name, or the smallest of the user's own that writes answers and fits.
 * Otherwise the built-in model.
 * @param from `models`: the folder of the user's models; it is only read. `named`: what the settings name
 * @param folder for a copy of the built-in model under another name, which is shared where the weights are not real or too large
 * @throws MODEL_NOT_FOUND, MODEL_INVALID where the settings name a model that cannot be used
 */
export async function chooseDemoModel(
  from: { models: string; named: string | undefined },
  folder: string,
): Promise<DemoModel> {
  const tinyPath = installedPath('resources', 'tiny.gguf');
  const library = new ModelLibrary({ folder: from.models, tinyPath, now: Date.now });
  const found = from.named ? await library.find(from.named) : await smallest(library);
  const real = found && !found.tiny ? found : undefined;
  const small = real && real.bytes <= SMALL_BYTES ? real.path : undefined;
  const sharedFile = small ?? (await copyOfTiny(tinyPath, folder));
  return {
    model: real?.path ?? TINY_MODEL_NAME,
    real: real !== undefined,
    second: small ?? TINY_MODEL_NAME,
    sharedFile,
  };
}

/**
 * Puts real weights among a node's own models, where they are: its pages then show them as they do any other.
 * @param folder the node's folder of models
 * @returns for its setting `model`
 */
export async function takeIn({ model, real }: DemoModel, folder: string): Promise<string> {
  if (!real) return model;
  const library = new ModelLibrary({ folder, tinyPath: installedPath('resources', 'tiny.gguf'), now: Date.now });
  await library.open();
  try {
    const taken = await library.useInPlace(model).catch(ignoring('a path is as good where its name is not'));
    return taken?.name ?? model;
  } finally {
    await library.close();
  }
}

/** Looks at names, sizes and headers alone: to hash what a user has may take minutes. */
async function smallest(library: ModelLibrary) {
  const use = await library.diskUse().catch(ignoring('no folder of models is as good as an empty one'));
  const small = (use?.models ?? []).filter(({ bytes }) => bytes < freemem() * MEMORY_SHARE);
  for (const { name, bytes } of small.sort((a, b) => a.bytes - b.bytes)) {
    const path = join(use?.folder ?? '', `${name}.gguf`);
    const checked = await checkGguf(path).catch(ignoring('a model that cannot be read is not shown'));
    const { encoder, embeddingModel } = checked?.facts ?? { encoder: true, embeddingModel: true };
    if (!encoder && !embeddingModel) return { path, bytes, tiny: false };
  }
  return undefined;
}

async function copyOfTiny(tinyPath: string, folder: string): Promise<string> {
  const file = await readFile(tinyPath);
  const at = file.indexOf(BUILT_IN);
  if (at < 0) throw new Error('The built-in model has another name in its file.');
  file.write(COPY, at);
  const path = join(folder, 'practice-copy.gguf');
  await writeFile(path, file);
  return path;
}
