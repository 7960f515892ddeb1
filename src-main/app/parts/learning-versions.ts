import { dataPath } from '../../base/data-folder.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { VersionExports } from '../../learning/adapters/version-exports.ts';
import { VersionFiles } from '../../learning/adapters/version-files.ts';
import type { AdapterBase } from '../../learning/adapters/version-intake.ts';
import { Versions } from '../../learning/adapters/versions.ts';
import { baseShape } from '../../learning/formats/base-shape.ts';
import type { ModelLibrary } from '../../models/library/library.ts';
import { AdapterStore } from '../../store/learning-adapters.ts';
import { LearntModels } from '../learning/learnt-models.ts';
import type { Core } from './core.ts';

/** What was learnt, version by version. */
export interface LearningVersionsPart {
  readonly versions: Versions;
  readonly exports: VersionExports;
  /** Which of them answers. */
  readonly models: LearntModels;
  /** The adapter that is meant where none is named. */
  adapter(): string;
  /**
   * The model that an adapter is for: by its name in the library or its path, else the one that the adapter belongs to, else the one that is set.
   * @throws MODEL_NOT_FOUND, MODEL_INVALID; UNSUPPORTED for an architecture whose adapters are not known
   */
  base(adapter: string, model?: string): Promise<AdapterBase>;
}

export async function openLearningVersions(
  { config, db, settings, changes, log }: Core,
  library: ModelLibrary,
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
  });
  const learning = settings.follow('learning');
  const models = new LearntModels({ versions, choice: () => learning.now });
  await versions.open(); // for a single command, too: it has the folder to itself
  await models.refresh();
  const chosen = settings.follow('model');
  const own = async (name: string) => {
    const base = (await store.adapter(name))?.base;
    return base && (await library.list()).find(({ sha256 }) => sha256 === base);
  };
  return {
    versions,
    models,
    exports: new VersionExports(versions, files),
    adapter: () => learning.now.adapter,
    async base(adapter, model) {
      const file = (model === undefined && (await own(adapter))) || (await library.find(model ?? chosen.now));
      const { header } = await checkGguf(file.path);
      return { sha256: file.sha256, name: file.name, shape: baseShape(header) };
    },
  };
}
