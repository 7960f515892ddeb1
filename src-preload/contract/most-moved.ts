/**
 * The most that moved in each of so many stretches of seconds, all of them equally long but for the last.
 * @param motion blocks of the picture that changed, second by second
 * @returns at most `bars`; as many as there are seconds where those are fewer
 */
export function mostMoved(motion: readonly number[], bars: number): number[] {
  const stretch = Math.max(1, Math.ceil(motion.length / bars));
  const count = Math.ceil(motion.length / stretch);
  return Array.from({ length: count }, (_, at) => Math.max(...motion.slice(at * stretch, (at + 1) * stretch)));
}
