import { seededRandom } from '../../base/seeded-random.ts';
import { shuffled } from '../../base/shuffled.ts';

/** What there is to learn from. */
export interface ToLearnFrom<Sample> {
  samples: readonly Sample[];
  /** Answers that are to stay as they are. */
  anchors: readonly Sample[];
}

/** With one, facts that were known came and went (27, 24, 27 of 28 after 8, 12, 16 steps); they are short, and cost little time. */
export const ANCHORS_A_STEP = 2;

/**
 * What a step of a run learns from: some of the samples, and anchors beside them. Never anchors alone: Adam makes whole steps of gradients
 * that are next to nothing.
 * @param step from 0
 */
export function stepBatch<Sample>(
  step: number,
  { samples, anchors }: ToLearnFrom<Sample>,
  { batch, seed }: { batch: number; seed: number },
): Sample[] {
  return [...batchOf(step, samples, { batch, seed }), ...batchOf(step, anchors, { batch: ANCHORS_A_STEP, seed })];
}

/**
 * Which samples a step learns from: all in an order that follows from the seed, then all again in another, so that a run that goes on after
 * a kill takes the same.
 * @param step from 0
 * @returns fewer than `batch` only where there are fewer
 */
export function batchOf<Sample>(
  step: number,
  samples: readonly Sample[],
  how: { batch: number; seed: number },
): Sample[] {
  const size = Math.min(how.batch, samples.length);
  if (size === 0) return [];
  const stepsARound = Math.floor(samples.length / size);
  const order = shuffled(samples, seededRandom(how.seed + Math.floor(step / stepsARound)).uniform);
  const first = (step % stepsARound) * size;
  return order.slice(first, first + size);
}
