import { MOTION_BLOCKS } from '../../../src-preload/contract/focus-limits.ts';

const ALL_BLOCKS = MOTION_BLOCKS.columns * MOTION_BLOCKS.rows;

/**
 * Heights of bars, 0 to 1, by the logarithm: a typed word is seven blocks and another window two thousand.
 * @param motion blocks of the picture that changed
 */
export function barHeights(motion: readonly number[]): number[] {
  return motion.map((blocks) => Math.min(1, Math.log1p(blocks) / Math.log1p(ALL_BLOCKS)));
}
