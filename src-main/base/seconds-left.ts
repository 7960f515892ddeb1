/** Steps after which can be told how long the rest will take. */
const ENOUGH = 3;

/**
 * Whole seconds that the rest of some like steps will take, by those that are done.
 * @param elapsedMs milliseconds that those took
 * @returns null while too few are done
 */
export function secondsLeft({ done, of }: { done: number; of: number }, elapsedMs: number): number | null {
  return done < ENOUGH ? null : Math.round((elapsedMs / done / 1_000) * (of - done));
}
