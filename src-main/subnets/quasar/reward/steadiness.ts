/** A miner needs so many scores before how steady they are counts; so many of the last are looked at (QUASAR, incentive distribution). */
const LEAST = 5;
const LAST = 10;
const WEIGHT = 0.25;

/** A score with what steadiness brings: up to a quarter more where a miner’s last scores are all the same. 0 to 1. @param history oldest first, each 0 to 1 */
export function steadied(score: number, history: readonly number[]): number {
  if (history.length < LEAST) return score;
  const steadiness = 1 - Math.min(1, deviationOf(history.slice(-LAST)));
  return Math.min(1, score * (1 + steadiness * WEIGHT));
}

/** Of all of them, not of a sample: as NumPy’s `std`. */
function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
