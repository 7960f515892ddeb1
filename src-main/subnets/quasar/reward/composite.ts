/** What the composite is made of, each measured by whoever asked. */
export const PARTS = ['memory', 'position', 'coherence', 'speed', 'scaling'] as const;
export type Part = (typeof PARTS)[number];

/** (QUASAR, HFA composite, weights) */
export const WEIGHTS: Readonly<Record<Part, number>> = {
  memory: 0.35,
  position: 0.25,
  coherence: 0.2,
  speed: 0.1,
  scaling: 0.1,
};

/** Memory above this counts squared, and below it half: from .40 it jumps to .64 (QUASAR, HFA composite). */
const GOOD_MEMORY = 0.8;
const POSITION_BOOST = 1.2;
/** Of coherence, up to a fifth is taken off as contexts grow, all of it from 20,000 on (QUASAR, HFA composite; its lengths are of words or tokens, here of tokens). */
const LEAST_COHERENCE = 0.8;
const COHERENT_LENGTH = 100_000;
/** So many tokens a second are all that counts. */
const FULL_SPEED = 1_000;
const SCALE_BOOST = 0.1;

/** What counts of each part before its weight, 0 to 1 (QUASAR, HFA composite). Shares are 0 to 1. */
export const COUNTED = {
  memory: (found: number) => share(found > GOOD_MEMORY ? found ** 2 : 0.5 * found),
  position: (right: number) => share(POSITION_BOOST * right),
  coherence: (coherence: number, contextTokens: number) =>
    share(coherence * Math.max(LEAST_COHERENCE, 1 - contextTokens / COHERENT_LENGTH)),
  speed: (tokensPerSecond: number) => share(tokensPerSecond / FULL_SPEED),
  /** @param factor how many times longer the long context was */
  scaling: (kept: number, factor: number) => share(kept * (factor > 1 ? 1 + SCALE_BOOST * Math.log(factor) : 1)),
} as const satisfies Record<Part, (...measured: number[]) => number>;

/** What a kind of question is to show: being very good at just that brings a bonus. */
export const BONUS_KINDS = ['memory', 'scaling', 'pattern'] as const;
export type BonusKind = (typeof BONUS_KINDS)[number];

/** (QUASAR, HFA composite, bonuses by type of task) */
const BONUSES: Readonly<Record<BonusKind, { of: Part; above: number; bonus: number }>> = {
  memory: { of: 'memory', above: 0.95, bonus: 1.1 },
  scaling: { of: 'scaling', above: 0.9, bonus: 1.15 },
  pattern: { of: 'coherence', above: 0.9, bonus: 1.05 },
};

/**
 * What the sum is multiplied with, from 1 on. The original has a bonus for each answer, by what it was asked for, and takes the mean: so each kind's counts by its share.
 * @param values what was measured, before it is counted @param shares of all answers, those to questions of a kind, 0 to 1
 */
export function bonusOf(values: Readonly<Record<Part, number>>, shares: Readonly<Record<BonusKind, number>>): number {
  return BONUS_KINDS.reduce((sum, kind) => {
    const { of, above, bonus } = BONUSES[kind];
    return values[of] > above ? sum + shares[kind] * (bonus - 1) : sum;
  }, 1);
}

/** The composite score, 0 to 1 (QUASAR, HFA composite). Its weights are of all five parts: without one of them there is none. @param counted by {@link COUNTED} */
export function compositeOf(counted: Readonly<Record<Part, number>>, bonus: number): number {
  return share(bonus * PARTS.reduce((sum, part) => sum + WEIGHTS[part] * counted[part], 0));
}

/** From 0 to 1; 0 for what is no number: a clock that stood still must not spoil a sum. */
const share = (value: number) => Math.min(1, Math.max(0, value || 0));
