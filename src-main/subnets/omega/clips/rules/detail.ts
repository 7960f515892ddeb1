import { LEAST_DETAIL } from '../../../../../src-preload/contract/data-limits.ts';

/** Different tokens of a description: what has fewer says little, more than this adds nothing (OMEGA, B2). */
export const [LEAST_TOKENS, MOST_TOKENS] = [100, 300] as const;

/** What a description’s relevance counts by the length of the description, 0.65 to 1: it grows with the logarithm (OMEGA, B5, step 12). */
export function detailFactor(uniqueTokens: number): number {
  const within = Math.min(Math.max(uniqueTokens, LEAST_TOKENS), MOST_TOKENS);
  const grown = Math.log2(within / LEAST_TOKENS) / Math.log2(MOST_TOKENS / LEAST_TOKENS);
  return 1 - (1 - LEAST_DETAIL) * (1 - grown);
}
