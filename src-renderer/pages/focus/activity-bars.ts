/**
 * Heights of bars, 0 to 1: of each stretch of seconds the most that moved, by its logarithm, since a typed word is seven blocks and another window two thousand.
 * @param most blocks that there are
 */
export function activityBars(motion: readonly number[], bars: number, most: number): number[] {
  const stretch = Math.max(1, Math.ceil(motion.length / bars));
  const count = Math.ceil(motion.length / stretch);
  return Array.from({ length: count }, (_, at) => {
    const highest = Math.max(...motion.slice(at * stretch, (at + 1) * stretch));
    return Math.min(1, Math.log1p(highest) / Math.log1p(most));
  });
}
