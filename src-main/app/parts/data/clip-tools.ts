import type { DataAbility } from '../../../../src-preload/contract/data.ts';
import { runBounded } from '../../../clips/media/bounded-program.ts';
import { MediaPlace } from '../../../clips/media/media-place.ts';
import type { Sources } from '../../../clips/mining/ports.ts';
import { captionsAbility } from '../../../clips/models/abilities.ts';
import { chooseCaptioner, ModelCaptioner } from '../../../clips/models/captioner.ts';
import type { ClipTools } from '../../../clips/models/clip-tools.ts';
import { ModelsPlace } from '../../../clips/models/models-place.ts';
import { Sources as AllSources } from '../../../clips/sources/open-sources.ts';
import type { Core } from '../core.ts';
import { clipModelsFolder } from './clip-models.ts';

/** What clips are found and made with on this computer. */
export interface ClipToolsPart {
  sources: Sources;
  tools: ClipTools;
  models: ModelsPlace;
  media: MediaPlace;
  /** What of it is there, and what is lost where some of it is not. */
  abilities(): Promise<DataAbility[]>;
  /** From where on the models call two clips alike, and so on, by name; none where nobody has measured it. */
  thresholds(): { name: string; value: number }[];
}

export async function openClipTools(
  core: Pick<Core, 'config' | 'settings' | 'ports' | 'log' | 'onClose' | 'until'>,
): Promise<ClipToolsPart> {
  const { config, settings, ports, log, onClose, until } = core;
  const set = settings.follow('data');
  const sources = new AllSources({ settings: () => set.now, run: runBounded });
  onClose(() => sources.close());
  const media = new MediaPlace({ path: () => set.now.ffmpeg });
  const models = await ModelsPlace.open({
    ...{ settings: () => set.now.models, spawner: ports.spawner, log },
    folder: clipModelsFolder(config),
  });
  onClose(() => models.close());
  const chosen = () => chooseCaptioner(set.now.captioner);
  const captioner = () => {
    const one = chosen();
    return 'lacks' in one ? undefined : new ModelCaptioner({ ...one, closing: until() });
  };
  return {
    ...{ sources, models, media },
    tools: {
      media: () => media.tool(),
      models: () => models.now.vectors ?? undefined,
      listeners: () => models.now.listeners,
      captioner,
      plain: { describe: (about, signal) => models.now.localCaptioner.describe(about, signal) },
    },
    thresholds: () => Object.entries(models.now.thresholds ?? {}).map(([name, value]) => ({ name, value })),
    async abilities() {
      return [await media.ability(), ...models.now.abilities, captionsAbility(chosen())];
    },
  };
}
