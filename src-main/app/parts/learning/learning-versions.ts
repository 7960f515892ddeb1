import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { checkGguf } from '../../../gguf/model-file.ts';
import { LearntModels } from '../../../learning/adapters/learnt-models.ts';
import { VersionExports } from '../../../learning/adapters/version-exports.ts';
import { VersionFiles } from '../../../learning/adapters/version-files.ts';
import type { AdapterBase } from '../../../learning/adapters/version-intake.ts';
import { Versions } from '../../../learning/adapters/versions.ts';
import { baseShape } from '../../../learning/formats/base-shape.ts';
import type { ModelFile, ModelLibrary } from '../../../models/library/library.ts';
import { AdapterStore } from '../../../store/learning/learning-adapters.ts';
import { AdapterOffers } from '../../learning/adapter-offers.ts';
import { AdapterShares } from '../../learning/adapter-shares.ts';
import type { Core } from '../core.ts';
import { NO_SHARING, type SharingPart } from '../mesh/sharing.ts';
import { need } from '../need.ts';

/** What was learnt, version by version. */
export interface LearningVersionsPart {
  readonly versions: Versions;
  readonly exports: VersionExports;
  /** Which of them answers. */
  readonly models: LearntModels;
  /** Which of them others may fetch. */
  readonly shares: AdapterShares;
  /** What others share. */
  readonly offers: AdapterOffers;
  /** The adapter that is meant where none is named. */
  adapter(): string;
  /** Calls an adapter something else. Where it is the one that is set, it stays that one, unless the environment or the command line name another. @throws as `Versions.rename` does */
  rename(name: string, to: string): Promise<void>;
  /**
   * The model that an adapter is for: by its name in the library or its path, else the one that the adapter belongs to, else the one that is set.
   * @throws MODEL_NOT_FOUND, MODEL_INVALID; UNSUPPORTED for an architecture whose adapters are not known
   */
  base(adapter: string, model?: string): Promise<AdapterBase>;
}

export interface LearningVersionsNeeds {
  library: ModelLibrary;
  sharing: SharingPart | undefined;
}

export async function openLearningVersions(
  { config, db, settings, changes, log }: Core,
  { library, sharing: network }: LearningVersionsNeeds,
): Promise<LearningVersionsPart> {
  const store = new AdapterStore(db);
  const files = new VersionFiles(dataPath(config.dataDir, 'adapters'));
  const versions: Versions = new Versions({
    store,
    files,
    onChange() {
      changes.tell();
      void models.refresh().catch((err: unknown) => log.warn({ err }, 'adapters cannot be listed'));
    },
    onRemove: (version) => shares.forget(version),
  });
  const { dataDir } = config;
  const needNetwork = () => need(network, NO_SHARING);
  const shares: AdapterShares = new AdapterShares({ dataDir, versions, network, needNetwork });
  const learning = settings.follow('learning');
  const models = new LearntModels({ versions, choice: () => learning.now });
  await versions.open(); // for a single command, too: it has the folder to itself
  await models.refresh();
  const chosen = settings.follow('model');
  const available = async () => {
    const [all, set] = await Promise.all([library.list(), library.selected(chosen.now)]);
    return set && !all.some(({ sha256 }) => sha256 === set.sha256) ? [...all, set] : all;
  };
  const own = async (name: string) => {
    const base = (await store.adapter(name))?.base;
    return base && (await available()).find(({ sha256 }) => sha256 === base);
  };
  const offers = new AdapterOffers({ versions, models: available, baseOf, network, needNetwork });
  return {
    versions,
    models,
    shares,
    offers,
    exports: new VersionExports(versions, files),
    adapter: () => learning.now.adapter,
    async rename(name, to) {
      await versions.rename(name, to);
      if (learning.now.adapter !== name) return;
      await settings.set({ changes: { 'learning.adapter': to } }).catch((error: unknown) => {
        if (QuarryError.from(error).code !== 'CONFIG_INVALID') throw error;
      });
    },
    async base(adapter, model) {
      const file = (model === undefined && (await own(adapter))) || (await library.find(model ?? chosen.now));
      return await baseOf(file);
    },
  };
}

/** @throws MODEL_INVALID; UNSUPPORTED for an architecture whose adapters are not known */
async function baseOf({ path, sha256, name }: Pick<ModelFile, 'path' | 'sha256' | 'name'>): Promise<AdapterBase> {
  const { header } = await checkGguf(path);
  return { sha256, name, shape: baseShape(header) };
}
