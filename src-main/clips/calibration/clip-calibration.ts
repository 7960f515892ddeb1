import type {
  CalibrationStep,
  MeasuredModel,
  ModelThresholds,
} from '../../../src-preload/contract/data-calibration.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { secondsLeft } from '../../base/seconds-left.ts';
import type { ClipStore } from '../../store/clips/clips.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';
import type { MediaTool } from '../media/media.ts';
import { noMedia } from '../media/media-words.ts';
import type { ClipModels } from '../models/clip-models.ts';
import { keepThresholds, type VectorModel } from '../models/files/keep-thresholds.ts';
import { noModels } from '../models/no-models.ts';
import type { SpaceThresholds } from '../models/space-thresholds.ts';
import { chosenClips } from './chosen-clips.ts';
import { type ClipReadings, clipReadings } from './clip-readings.ts';
import { cosinesOf, type Reading, thresholdsFrom, type Unlike, whyUnlike } from './thresholds-from.ts';

/** The models of clips that are in use, as they lie on the disk. */
export interface ModelsToMeasure {
  vectors: ClipModels | null;
  files: readonly VectorModel[];
}

export interface ClipCalibrationOptions {
  store: Pick<ClipStore, 'videosOf' | 'get' | 'vectors'>;
  folder: Pick<ClipFolder, 'video' | 'has'>;
  /** Undefined without a program that reads videos. */
  media: () => Promise<MediaTool | undefined>;
  models: () => ModelsToMeasure;
  /** What was measured is in the folders of the models by now. */
  onMeasured: () => Promise<void>;
  /** Unix milliseconds. */
  now: () => number;
  /** Videos that it takes. Default: {@link LEAST_VIDEOS}. */
  least?: number;
}

/** With fewer, the rarest of a hundred would be guessed. */
export const LEAST_VIDEOS = 50;

/** Measures with clips of the library from where on the models call two of them alike. */
export class ClipCalibration {
  readonly #options: ClipCalibrationOptions;
  #isRunning = false;

  constructor(options: ClipCalibrationOptions) {
    this.#options = options;
  }

  /** As the folders of the models have them. */
  thresholds(): ModelThresholds[] {
    return this.#options.models().files.map(({ manifest: { kind, name, thresholds, measured } }) => {
      return { kind, name, thresholds, measured };
    });
  }

  /**
   * Reads one clip after another, and keeps what it has come to with the models.
   * @throws BAD_REQUEST where there are too few clips; ENGINE_UNAVAILABLE without models or media; OVERLOADED while it runs; what keeps models, media or the disk from working; the signal's reason
   */
  async *run(signal: AbortSignal): AsyncGenerator<CalibrationStep, void, undefined> {
    if (this.#isRunning) throw new QuarryError({ code: 'OVERLOADED', message: say('clipCalibration.running') });
    this.#isRunning = true;
    try {
      const { files, vectors } = this.#options.models();
      const readings: ClipReadings[] = [];
      let of = 0;
      for await (const { read, ...step } of this.#readings(vectors, signal)) {
        if (read) readings.push(read);
        of = step.of;
        yield { type: 'progress', ...step };
      }
      const found = await this.#measured(files, readings, of);
      await this.#keep(found);
      yield { type: 'done', models: found.map(viewOf) };
    } finally {
      this.#isRunning = false;
    }
  }

  async *#readings(models: ClipModels | null, signal: AbortSignal) {
    const { store, folder, now, least = LEAST_VIDEOS } = this.#options;
    const media = await this.#options.media();
    if (!media) throw noMedia();
    if (!models) throw noModels();
    const clips = await chosenClips(store, models.space, signal);
    if (clips.length < least) throw tooFew(clips.length, least);
    const [began, of] = [now(), clips.length];
    yield { read: undefined, done: 0, of, secondsLeft: null };
    for (const [at, clip] of clips.entries()) {
      signal.throwIfAborted();
      const read = await clipReadings(clip, { store, folder, media, models }, signal);
      const step = { done: at + 1, of };
      yield { read, ...step, secondsLeft: secondsLeft(step, now() - began) };
    }
  }

  /** @throws BAD_REQUEST where too many clips could not be read */
  async #measured(models: readonly VectorModel[], all: readonly ClipReadings[], of: number): Promise<Measured[]> {
    const { least = LEAST_VIDEOS } = this.#options;
    const read = all.length;
    if (read < least) throw tooFew(read, least, say('clipCalibration.unread', { read, of, least }));
    const found: Measured[] = [];
    for (const model of models) {
      const readings = all.map((each) => each[model.manifest.kind]).filter((one) => one !== null);
      const clips = readings.length;
      const few = clips < least ? fewSounds(model, clips, least) : undefined;
      found.push({ model, clips, ...(few ? { why: few } : await measuredBy(readings)) });
    }
    return found;
  }

  async #keep(found: readonly Measured[]): Promise<void> {
    const { now, onMeasured } = this.#options;
    const kept = found.filter((one) => 'thresholds' in one);
    if (kept.length === 0) return;
    try {
      for (const { model, clips, thresholds } of kept)
        await keepThresholds(model, { thresholds, by: clips, at: now() });
    } finally {
      await onMeasured(); // of two models one may have been written
    }
  }
}

/** What came of measuring a model: or why nothing did. */
type Measured = { model: VectorModel; clips: number } & Outcome;
type Outcome = { thresholds: SpaceThresholds } | { why: Saying };

const UNLIKE: Record<Unlike, Saying> = {
  copies: say('clipCalibration.copies'),
  words: say('clipCalibration.words'),
  scale: say('clipCalibration.scale'),
};

async function measuredBy(readings: readonly Reading[]): Promise<Outcome> {
  const cosines = await cosinesOf(readings);
  const unlike = whyUnlike(cosines);
  return unlike ? { why: UNLIKE[unlike] } : { thresholds: thresholdsFrom(cosines) };
}

function viewOf({ model, clips, ...outcome }: Measured): MeasuredModel {
  const { kind, name } = model.manifest;
  const { thresholds, why } = { thresholds: null, why: undefined, ...outcome };
  return { kind, name, clips, thresholds, reason: why ? told({ text: why }) : null };
}

/** What was measured of sounds before stays, and clips are scored by it. */
function fewSounds({ manifest }: VectorModel, clips: number, least: number): Saying {
  return say(manifest.thresholds ? 'clipCalibration.soundsStay' : 'clipCalibration.fewSounds', { clips, least });
}

function tooFew(
  videos: number,
  least: number,
  message = say('clipCalibration.tooFew', { videos, least }),
): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message,
    hint: say('clipCalibration.tooFew.hint', { more: least - videos }),
  });
}
