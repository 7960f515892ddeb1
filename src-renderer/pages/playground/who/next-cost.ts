import type { Answered, AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../../../src-preload/contract/defaults.ts';
import { creditsFor } from '../../../../src-preload/contract/price.ts';

/** The most credits that the next answer can cost. */
export function mostCost({ maxTokens = DEFAULTS.maxTokens }: AskOptions): number {
  return creditsFor(maxTokens);
}

/** What it will likely cost: as much as answers did lately. Undefined where there were none. */
export function likelyCost(options: AskOptions, lately: Pick<Answered, 'tokens'> | undefined): number | undefined {
  return lately && Math.min(mostCost(options), creditsFor(lately.tokens));
}
