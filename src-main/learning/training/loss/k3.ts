/** How far a log-probability may be from another before the distance is cut off (B4). */
export const MOST_DISTANCE = 20;

/**
 * Schulman's k3 estimate of the KL from the model without adapter, from one sampled token: `e^d − 1 − d` with the distance `d` of the two log-probabilities; never negative.
 * @returns the estimate, and its derivative by the student's log-probability; both 0 where the base is not known
 */
export function divergenceFromBase(logprob: number, base: number | undefined): { kl: number; slope: number } {
  if (base === undefined) return { kl: 0, slope: 0 };
  const distance = logprob - base;
  const cut = Math.max(-MOST_DISTANCE, Math.min(MOST_DISTANCE, distance));
  return { kl: Math.expm1(cut) - cut, slope: cut === distance ? Math.expm1(cut) : 0 };
}
