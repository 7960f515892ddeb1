import type { BaseShape } from '../../formats/base-shape.ts';
import type { SavedAdapter } from '../adapter/adam-w.ts';
import { assembleTraining } from '../assemble-training.ts';
import { gpuFailed } from '../gpu-failed.ts';
import type { OpenModel } from '../open-model.ts';
import type { PageTraining } from '../page/page-training.ts';
import type { StepFigures, TrainerSettings, TrainingSample } from '../trainer.ts';

/** Steps of one adapter, wherever they are computed. */
export interface Computing {
  settings: TrainerSettings;
  base: BaseShape;
  step(samples: readonly TrainingSample[], rate: number): Promise<StepFigures>;
  score(sample: Pick<TrainingSample, 'prompt' | 'response'>): Promise<number[]>;
  /** The adapter as it is now. */
  saved(): Promise<SavedAdapter>;
}

type Keep = { weights: boolean; passed: boolean };

/** In this process, by WebAssembly. */
export async function here(model: OpenModel, settings: TrainerSettings, keep: Keep): Promise<Computing> {
  const { training } = await assembleTraining({ ...model, settings, keep });
  return {
    ...{ settings, base: model.base },
    step: (samples, rate) => training.step(samples, rate),
    score: (sample) => training.score(sample),
    saved: async () => model,
  };
}

/** In the page beside it, by WebGPU. @throws WORKER_LOST where the page does not take it, though it was found good: whatever it says */
export async function onPage(
  page: PageTraining,
  model: OpenModel,
  settings: TrainerSettings,
  keep: Keep,
): Promise<Computing> {
  try {
    await page.begin();
    await page.open(model, settings, keep);
  } catch (error) {
    throw gpuFailed(error);
  }
  return {
    ...{ settings, base: model.base },
    step: (samples, rate) => page.step(samples, rate),
    score: (sample) => page.score(sample),
    saved: () => page.saved(),
  };
}
