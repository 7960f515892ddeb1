import { ANCHORS_A_STEP } from '../runs/batches.ts';
import { DEFAULT_RUN } from '../runs/run-settings.ts';
import type { Forecast } from '../training/trainer.ts';

/** A step by which trainers are compared, and people judge: that of a run, with as many tokens each, the questions included, as is usual. */
const STEP = [DEFAULT_RUN.batch + ANCHORS_A_STEP, 128] as const;

/** Seconds that a usual step of a run is foreseen to take. */
export function secondsOfStep({ secondsPerStep }: Pick<Forecast, 'secondsPerStep'>): number {
  return secondsPerStep(...STEP);
}
