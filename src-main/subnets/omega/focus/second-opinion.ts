/** Scores that are further apart are looked at by a person (OMEGA, B14). */
const MOST_APART = 0.3;

/** Two scores of the same recording, by different models or on different computers: the lower one counts. */
export function combinedScore(one: number, other: number): { score: number; doubted: boolean } {
  return { score: Math.min(one, other), doubted: Math.abs(one - other) > MOST_APART + Number.EPSILON };
}
