import type { Logger } from 'pino';
import { dataPath } from '../../base/data-folder.ts';
import { installedPath } from '../../base/installation.ts';
import { Catalogue } from '../../models/catalogue/catalogue.ts';
import { ModelLibrary } from '../../models/library/library.ts';
import type { FixedConfig } from '../../settings/config.ts';

/**
 * The library of this configuration's model folder, not open yet.
 * @param log told of models that cannot be read
 */
export function modelLibrary(config: Pick<FixedConfig, 'dataDir' | 'models'>, log?: Logger): ModelLibrary {
  return new ModelLibrary({
    folder: modelsFolder(config),
    tinyPath: installedPath('resources', 'tiny.gguf'),
    now: Date.now,
    ...(log && { log }),
  });
}

/** Where models and unfinished downloads are kept. */
export function modelsFolder({ dataDir, models }: Pick<FixedConfig, 'dataDir' | 'models'>): string {
  return models.folder ?? dataPath(dataDir, 'models');
}

/** The catalogue that Quarry comes with, and those of the settings. @throws CONFIG_INVALID */
export function openCatalogue({ models }: Pick<FixedConfig, 'models'>, { pins }: ModelLibrary): Promise<Catalogue> {
  const bundled = installedPath('models', 'catalogue.json');
  return Catalogue.load({ bundled, files: models.catalogues, endpoint: models.endpoint, pins });
}
