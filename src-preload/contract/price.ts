/** What answers of the mesh cost: one price for every model, so that screens can say it before a question is asked. Plain, as `limits.ts`. */

/** Tokens of an answer that one credit pays for. */
export const TOKENS_PER_CREDIT = 256;

/** Credits for an answer of so many tokens: one for the question, and one for every begun {@link TOKENS_PER_CREDIT} of the answer. */
export function creditsFor(completionTokens: number): number {
  return 1 + Math.ceil(completionTokens / TOKENS_PER_CREDIT);
}
