/** What is known of the last weights of a validator. */
export interface WeightTimes {
  /** The newest. */
  block: number;
  /** That of its last weights, or of its registration; 0 for never. */
  lastSetBlock: number;
  /** Blocks between two epochs: see {@link USUAL_TEMPO}. */
  tempo: number;
  /** Blocks that the subnet wants between two weights. */
  rateLimit: number;
}

/** What most subnets have: 72 minutes. */
export const USUAL_TEMPO = 360;

/**
 * Blocks until weights are to be set again: once an epoch, which has one block more than its tempo, because an epoch pays by the last weights before
 * its end and by no others; and never within the subnet’s pause, of which the official software waits for one block more than the chain does.
 *
 * Affine sets where ((block + 482) mod 361) mod 100 = 0: four times an epoch, at blocks which hold for subnet 120 alone, and whoever is away at that
 * block waits for the next one.
 * @returns 0: now
 */
export function blocksToWait({ block, lastSetBlock, tempo, rateLimit }: WeightTimes): number {
  if (lastSetBlock <= 0) return 0;
  return Math.max(0, lastSetBlock + Math.max(tempo, rateLimit) + 1 - block);
}

/** Whether weights are to be set: see {@link blocksToWait}. */
export const isTimeToSet = (times: WeightTimes): boolean => blocksToWait(times) === 0;
