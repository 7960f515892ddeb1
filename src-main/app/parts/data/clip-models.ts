import { join } from 'node:path';
import { dataPath } from '../../../base/data-folder.ts';
import { installedPath } from '../../../base/installation.ts';
import { readClipCatalogue } from '../../../clips/models/files/clip-catalogue.ts';
import { ClipModelDesk } from '../../../clips/models/files/clip-model-desk.ts';
import { MODEL_KINDS } from '../../../clips/models/files/model-manifest.ts';
import type { ModelsPlace } from '../../../clips/models/models-place.ts';
import { modelsHttpClient } from '../../models/model-downloads.ts';
import type { Core } from '../core.ts';

/** Models of clips that are published: what is fetched or removed is in use, or gone, at once. @param onOthers told when others may be in use */
export async function openClipModelDesk(
  { config, settings, log, onClose }: Pick<Core, 'config' | 'settings' | 'log' | 'onClose'>,
  { models, onOthers }: { models: ModelsPlace; onOthers: () => Promise<void> },
): Promise<ClipModelDesk> {
  const [set, limit] = [settings.follow('data'), settings.follow('models.downloadLimit')];
  set.whenSet(() => {
    const looked = models.look().then(onOthers); // ffmpeg may be another, too
    looked.catch((err: unknown) => log.warn({ err }, 'models of clips could not be looked for'));
  });
  const client = modelsHttpClient(config);
  onClose(() => client.close());
  return new ClipModelDesk({
    catalogue: await readClipCatalogue(installedPath('models', 'clip-models.json')),
    folder: clipModelsFolder(config),
    ...{ endpoint: config.models.endpoint, client, limit: () => limit.now, log },
    chosen: () => MODEL_KINDS.map((kind) => set.now.models[kind]),
    onChange: async () => {
      await models.lookAgain();
      await onOthers();
    },
  });
}

/** In which models lie that were fetched, a folder each by its name in the catalogue. */
export function clipModelsFolder({ dataDir }: Pick<Core['config'], 'dataDir'>): string {
  return join(dataPath(dataDir, 'clips'), 'models');
}
