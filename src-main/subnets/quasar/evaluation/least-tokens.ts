import { inSlices } from '../../../base/steps.ts';
import { SeededRandom } from '../../../validation/seeded-random.ts';
import type { CountTokens } from '../tasks/context-task.ts';
import { MADE_TASKS } from '../tasks/made/made-tasks.ts';

/** Texts of each variant that are looked at: what is hidden in them differs by some words. */
const DRAWS = 4;
/** For what was not drawn. */
const MARGIN = 1.05;
/** Nobody wants to know it to the token. */
const STEP = 50;

/**
 * Tokens from which on a made suite has room for all its questions, about.
 * @returns undefined for a suite out of files: each of its texts is as long as it is
 * @throws what counting throws; the signal's reason
 */
export async function leastTokens(suite: string, count: CountTokens, signal: AbortSignal): Promise<number | undefined> {
  const tasks = MADE_TASKS.find(({ name }) => name === suite);
  if (!tasks) return undefined;
  let longest = '';
  for (const variant of tasks.variants) {
    for (let draw = 0; draw < DRAWS; draw++) {
      const random = new SeededRandom(`shortest ${variant} ${draw}`);
      const made = await inSlices(tasks.steps(random, variant, tasks.leastWords), signal);
      for (const { prompt } of made) if (prompt.length > longest.length) longest = prompt;
    }
  }
  return Math.ceil(((await count(longest)) * MARGIN) / STEP) * STEP;
}
