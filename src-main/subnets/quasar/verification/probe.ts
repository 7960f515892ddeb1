import { LEAST_TOKEN, PROMPT_TOKENS } from '../../../inference/verified/honest-probes.ts';
import type { TokenProbe } from '../../../validation/environment.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';

/** QUASAR's own captures lie in the first of so many steps. */
const CLASSIC_LENGTH = 512;
const CLASSIC_STEPS = 50;

/**
 * How many tokens are asked for, the usual number first. Of these each may be the one whose logits are wanted; in a `classic` probe, as the original has it, only one of the first
 * fifty, and then all that comes after them may be made up.
 */
export const PROBE_LEVELS = ['512', '256', '128', '64', 'classic'] as const;

/** Tokens drawn by chance, so that nobody has what follows them before he is asked. @param vocabulary tokens that the model has */
export function drawProbe(random: SeededRandom, level: string, vocabulary: number): TokenProbe {
  const isClassic = level === 'classic';
  const length = isClassic ? CLASSIC_LENGTH : Number(level);
  const prompt = Array.from({ length: PROMPT_TOKENS }, () => random.between(LEAST_TOKEN, vocabulary - 1));
  return { prompt, length, captureAt: random.between(1, isClassic ? CLASSIC_STEPS : length) };
}

/** As miners are asked it over HTTP, and on their axons. */
export function inferenceBody({ prompt, length, captureAt }: TokenProbe) {
  return { prompt: [...prompt], gen_len: length, logits_at_step: captureAt };
}
