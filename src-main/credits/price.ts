import { z } from 'zod';
import { creditsFor, TOKENS_PER_CREDIT } from '../../src-preload/contract/price.ts';

/** Credits that one request, pledge or voucher may be about. */
export const creditsSchema = z.int().min(1).max(100_000);

/** What a request has used, or may use, in tokens. */
export interface Usage {
  /** Absent where nobody has counted them: at the client, and at the worker until the engine has. They cost nothing beyond the first credit. */
  promptTokens?: number;
  /** Tokens of the answer. */
  completionTokens: number;
}

/** Credits for what a request uses: set aside for the most that it may use, settled at what it did use. */
export function costOf({ completionTokens }: Usage): number {
  return creditsFor(completionTokens);
}

/** What a prompt costs of which nothing has come yet: whoever has pledged no more says that it has had no text. */
export const PROMPT_COST = costOf({ completionTokens: 0 });

/** The most tokens of an answer that so many credits pay for; 0 when they pay for no request. */
export function tokensFor(credits: number): number {
  return Math.max(0, (credits - PROMPT_COST) * TOKENS_PER_CREDIT);
}
