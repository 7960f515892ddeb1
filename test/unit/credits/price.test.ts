import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, PROMPT_COST, tokensFor } from '../../../src-main/credits/price.ts';

describe('the price', () => {
  it.each([
    [0, 1],
    [1, 2],
    [256, 2],
    [257, 3],
    [512, 3],
  ])('%i tokens cost %i', (tokens, cost) => expect(costOf({ promptTokens: 40, completionTokens: tokens })).toBe(cost));

  it('credits pay for exactly the tokens that they are said to pay for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (credits) => {
        expect(costOf({ completionTokens: tokensFor(credits) })).toBe(credits);
        expect(costOf({ completionTokens: tokensFor(credits) + 1 })).toBe(credits + 1);
      }),
    );
  });

  it('of a prompt without an answer is the least there is', () => {
    expect([PROMPT_COST, tokensFor(PROMPT_COST), tokensFor(0)]).toEqual([1, 0, 0]);
  });
});
