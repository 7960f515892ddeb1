import { describe, expect, it } from 'vitest';
import { DraftPlan, expectedGain } from '../../../../../src-main/inference/child/drafting/draft-plan.ts';
import type { DraftCost, DraftRates } from '../../../../../src-preload/contract/drafting.ts';

/** Reading the weights takes all the time: a batch of nine takes hardly longer than one of one. */
const WAITS: DraftCost = {
  sequences: 1,
  guessMs: 1,
  batches: [
    { tokens: 1, ms: 10 },
    { tokens: 9, ms: 12 },
  ],
};
/** Each token takes its time. */
const COMPUTES: DraftCost = {
  sequences: 2,
  guessMs: 1,
  batches: [
    { tokens: 1, ms: 10 },
    { tokens: 9, ms: 90 },
  ],
};
const RIGHT: DraftRates = { sure: 1e6, unsure: 0, accepted: 1e6, rejected: 0 };
const WRONG: DraftRates = { sure: 1e6, unsure: 0, accepted: 0, rejected: 1e6 };

describe('expectedGain', () => {
  it('is that of tokens and time where all guesses are right', () => {
    expect(expectedGain(WAITS, RIGHT, 8)).toBeCloseTo((9 * 10) / (12 + 8 * 1), 2);
    expect(expectedGain(COMPUTES, RIGHT, 8)).toBeCloseTo((9 * 10) / (90 + 8), 2);
  });

  it('is what is lost where all are wrong', () => {
    expect(expectedGain(WAITS, WRONG, 8)).toBeCloseTo(10 / 20, 2);
  });

  it('counts one guess that is asked for and not offered', () => {
    const unsure = { sure: 0, unsure: 1e6, accepted: 0, rejected: 0 };
    expect(expectedGain(WAITS, unsure, 8)).toBeCloseTo(10 / 11, 2);
  });
});

describe('DraftPlan', () => {
  it('guesses nothing before it was measured, and nothing for numbers of sequences that were not', () => {
    const plan = new DraftPlan();
    expect(plan.guesses(1)).toBe(0);
    plan.use([WAITS]);
    expect([plan.guesses(1) > 0, plan.guesses(2), plan.gain(2)]).toEqual([true, 0, 1]);
  });

  it('guesses only where it pays', () => {
    const plan = new DraftPlan();
    plan.use([WAITS, COMPUTES], RIGHT);
    expect([plan.guesses(1), plan.guesses(2)]).toEqual([8, 0]);
    plan.use([WAITS, COMPUTES], WRONG);
    expect([plan.guesses(1), plan.gain(1)]).toEqual([0, 1]);
  });

  it('learns that guesses are wrong, and tries again some hundred rounds later', () => {
    const plan = new DraftPlan();
    plan.use([WAITS]);
    let rounds = 0;
    for (; plan.guesses(1) > 0; rounds++) {
      plan.asked(true);
      plan.learn(1, 0);
    }
    expect(rounds).toBeLessThan(60);
    let pause = 0;
    while (plan.guesses(1) === 0) pause++;
    expect(pause).toBeGreaterThan(10 * rounds);
    expect(pause).toBeLessThan(3_000);
  });

  it('guesses further ahead the more of them are right', () => {
    const plan = new DraftPlan();
    const guesses = [0.3, 0.6, 0.9].map((right) => {
      plan.use([WAITS], { sure: 1e4, unsure: 0, accepted: right * 1e4, rejected: (1 - right) * 1e4 });
      return plan.guesses(1);
    });
    expect(guesses).toEqual(guesses.toSorted((a, b) => a - b));
    expect(new Set(guesses).size).toBe(3);
  });
});
