import { isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import type { DataAbility } from '../../../src-preload/contract/data.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { wordsOf } from '../../../src-preload/contract/saying.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { abilitiesOf, type FoundModels, type ModelFaults } from './abilities.ts';
import { type ClipModelSettings, isNone } from './clip-model-settings.ts';
import type { Listeners } from './clip-models.ts';
import { ClipSpeech } from './clip-speech.ts';
import { type ClipModel, MODEL_KINDS, type ModelKind, readClipModel } from './files/model-manifest.ts';
import { LocalCaptioner } from './local-captioner.ts';
import { type SpaceThresholds, thresholdsOf } from './space-thresholds.ts';
import { VectorModels } from './vector-models.ts';

export interface ClipModelsOptions {
  settings: ClipModelSettings;
  /** In which models lie that were fetched, a folder each by its name in the catalogue. */
  folder: string;
  log: Logger;
  spawner?: ProcessSpawner | undefined;
}

/** What is there of what makes numbers and words of clips. Each may be missing, and says what is lost without it. */
export interface OpenClipModels {
  /** Null without a model of pictures. */
  vectors: VectorModels | null;
  /** The models behind them, as they lie on the disk: of pictures, then of sounds. */
  files: readonly (ClipModel<'pictures'> | ClipModel<'sounds'>)[];
  /** From where on cosines mean something in its space; null where nobody has measured it. */
  thresholds: SpaceThresholds | null;
  /** Of sounds without pictures; null without a model of sounds, or where nobody has measured it. */
  soundThresholds: SpaceThresholds | null;
  listeners: Listeners;
  /** Which model writes down what is said; null where none does. */
  wordsModel: Pick<ClipModel<'words'>['manifest'], 'name' | 'language'> | null;
  /** Describes without a model that sees pictures and writes. */
  localCaptioner: LocalCaptioner;
  /** All but `media` and `captions`. */
  abilities: DataAbility[];
  /** Ends all processes, and what is being asked. */
  close(): Promise<void>;
}

/** Looks for the models that the settings name, and starts none of them: each process starts with the first question. Never throws for a model. */
export async function openClipModels(options: ClipModelsOptions): Promise<OpenClipModels> {
  const { settings, spawner } = options;
  const { found, faults } = await findModels(options);
  const { pictures, sounds, ...listening } = found;
  const { threads } = settings;
  const vectors = pictures && new VectorModels({ pictures, sounds, threads, spawner });
  const speech = new ClipSpeech({ ...listening, threads, spawner });
  return {
    vectors,
    files: [pictures, sounds].filter((one) => one !== null),
    thresholds: thresholdsOf(found),
    soundThresholds: sounds?.manifest.thresholds ?? null,
    listeners: speech,
    wordsModel: found.words?.manifest ?? null,
    localCaptioner: new LocalCaptioner({ models: vectors }),
    abilities: abilitiesOf(found, faults),
    close: async () => {
      await Promise.all([vectors?.close(), speech.close()]);
    },
  };
}

async function findModels({
  settings,
  folder,
  log,
}: ClipModelsOptions): Promise<{ found: FoundModels; faults: ModelFaults }> {
  const faults: ModelFaults = {};
  const find = async <Kind extends ModelKind>(kind: Kind): Promise<ClipModel<Kind> | null> => {
    const name = settings[kind];
    if (isNone(name)) return null;
    try {
      return await readClipModel(isAbsolute(name) ? name : join(folder, name), kind);
    } catch (error) {
      log.warn({ err: error, kind, name }, 'a model of clips cannot be used');
      faults[kind] = wordsOf(QuarryError.from(error), 'message');
      return null;
    }
  };
  const models = await Promise.all(MODEL_KINDS.map((kind) => find(kind)));
  const found = Object.fromEntries(MODEL_KINDS.map((kind, at) => [kind, models[at]])) as FoundModels;
  return { found, faults };
}
