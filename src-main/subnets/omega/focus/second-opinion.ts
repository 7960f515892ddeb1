/** Scores that are further apart are looked at by a person (OMEGA, B14). */
const MOST_APART = 0.3;

/**
 * Two scores of the same recording, by different models or on different computers: the lower one counts.
 * @param scores null where one could not be given, or where a person has to look
 */
export function combinedScore(scores: readonly [number | null, number | null]): {
  score: number | null;
  doubted: boolean;
} {
  const [one, other] = scores;
  if (one === null || other === null) return { score: null, doubted: true };
  return { score: Math.min(one, other), doubted: Math.abs(one - other) > MOST_APART + Number.EPSILON };
}
