/** A conversation needs about so many tokens; below it, fewer parallel requests are better than shorter ones. */
export const COMFORTABLE_CONTEXT = 4096;
/** Below it, a model is of no use. */
export const LEAST_CONTEXT = 512;

/** What to try until it fits: half as many sequences each time, and last a context that is only just useful. */
export function contextAttempts(parallel: number, most: number): { sequences: number; least: number }[] {
  const attempts: { sequences: number; least: number }[] = [];
  for (let sequences = parallel; sequences >= 1; sequences = Math.floor(sequences / 2)) {
    attempts.push({ sequences, least: Math.min(most, COMFORTABLE_CONTEXT) });
  }
  if (most > LEAST_CONTEXT) attempts.push({ sequences: 1, least: LEAST_CONTEXT });
  return attempts;
}
