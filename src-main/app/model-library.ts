import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Catalogue } from '../models/catalogue.ts';
import { checkGguf } from '../models/gguf/check-gguf.ts';
import { ModelLibrary } from '../models/library.ts';
import type { Config } from './config.ts';

/**
 * The library of this configuration's model folder, not open yet.
 * @param inUse path of the model that is loaded now
 */
export function modelLibrary(
  config: Pick<Config, 'dataDir' | 'models'>,
  inUse: () => string | undefined,
): ModelLibrary {
  return new ModelLibrary({
    folder: modelsFolder(config),
    tinyPath: shipped('resources', 'tiny.gguf'),
    now: Date.now,
    check: async (path) => void (await checkGguf(path)),
    inUse,
  });
}

/** Where models and unfinished downloads are kept. */
export function modelsFolder({ dataDir, models }: Pick<Config, 'dataDir' | 'models'>): string {
  return models.folder ?? join(dataDir, 'models');
}

/** The catalogue that Quarry comes with, and those of the settings. @throws CONFIG_INVALID */
export function openCatalogue({ models }: Pick<Config, 'models'>, { pins }: ModelLibrary): Promise<Catalogue> {
  const bundled = shipped('models', 'catalogue.json');
  return Catalogue.load({ bundled, files: models.catalogues, endpoint: models.endpoint, pins });
}

/** A file that comes with Quarry: two folders up from the sources and from the bundle, three from its chunks. */
function shipped(folder: string, file: string): string {
  const candidates = ['../..', '../../..'].map((up) => resolve(import.meta.dirname, up, folder, file));
  return candidates.find((path) => existsSync(path)) ?? candidates[0] ?? file;
}
