import type { SubmissionKind } from '../../../src-preload/contract/data-names.ts';

interface BatchRule {
  /** B: a file gets so many rows, or half of it. */
  batch: number;
  /** Never more. */
  most: number;
  /** Fewer make no file when the node stops. */
  leastAtStop: number;
}

/** OMEGA, B8. */
const RULES: Record<SubmissionKind, BatchRule> = {
  videos: { batch: 1_024, most: 2_048, leastAtStop: 32 },
  sounds: { batch: 256, most: 128, leastAtStop: 8 },
};

/**
 * So many rows the next file gets. In OMEGA a batch of 256 sounds is drawn half of the time, and never becomes full: no more than 128 wait, and the others are thrown
 * away. Here none is drawn that is larger than a file may be, and nothing is thrown away.
 * @param chance uniform in [0, 1)
 */
export function drawBatch(kind: SubmissionKind, chance: number): number {
  const { batch, most } = RULES[kind];
  return Math.min(most, chance < 0.5 ? batch / 2 : batch);
}

/** The least that {@link drawBatch} draws. */
export const leastBatch = (kind: SubmissionKind): number => drawBatch(kind, 0);

export const leastAtStop = (kind: SubmissionKind): number => RULES[kind].leastAtStop;
