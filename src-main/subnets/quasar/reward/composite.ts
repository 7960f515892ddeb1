import { share } from './measured.ts';

/** What the composite is made of, each measured by the validator (`measured.ts`). */
export interface Measured {
  /** 0 to 1. */
  memory: number;
  /** 0 to 1. */
  position: number;
  /** 0 to 1. */
  coherence: number;
  tokensPerSecond: number;
  /** 0 to 1. */
  scaling: number;
  /** How many times longer the long context of `scaling` was. */
  scaleFactor: number;
  /** Of the context that was asked about. */
  contextTokens: number;
}

export const PARTS = ['memory', 'position', 'coherence', 'speed', 'scaling'] as const;
export type Part = (typeof PARTS)[number];

/** What a task is to show: being very good at just that brings a bonus. */
export type TaskKind = 'memory' | 'scaling' | 'pattern';

export interface Composite {
  /** By part, what counts of it, 0 to 1, before its weight. */
  counted: Record<Part, number>;
  /** What the sum was multiplied with; 1 for none. */
  bonus: number;
  /** 0 to 1. */
  total: number;
}

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

/** (QUASAR, HFA composite, bonuses by type of task) */
const BONUSES: Readonly<Record<TaskKind, { of: (measured: Measured) => number; above: number; bonus: number }>> = {
  memory: { of: ({ memory }) => memory, above: 0.95, bonus: 1.1 },
  scaling: { of: ({ scaling }) => scaling, above: 0.9, bonus: 1.15 },
  pattern: { of: ({ coherence }) => coherence, above: 0.9, bonus: 1.05 },
};

const NOTHING: Composite = {
  counted: { memory: 0, position: 0, coherence: 0, speed: 0, scaling: 0 },
  bonus: 1,
  total: 0,
};

/** The composite score of an answer (QUASAR, HFA composite). @param measured undefined where there was no answer, which is worth 0 */
export function compositeOf(kind: TaskKind, measured: Measured | undefined): Composite {
  if (!measured) return NOTHING;
  const counted = countedOf(measured);
  const sum = PARTS.reduce((before, part) => before + WEIGHTS[part] * counted[part], 0);
  const { of, above, bonus: most } = BONUSES[kind];
  const bonus = of(measured) > above ? most : 1;
  return { counted, bonus, total: share(sum * bonus) };
}

function countedOf({ memory, position, coherence, tokensPerSecond, scaling, ...of }: Measured): Record<Part, number> {
  const boost = of.scaleFactor > 1 ? 1 + SCALE_BOOST * Math.log(of.scaleFactor) : 1;
  return {
    memory: share(memory > GOOD_MEMORY ? memory ** 2 : 0.5 * memory),
    position: share(POSITION_BOOST * position),
    coherence: share(coherence * Math.max(LEAST_COHERENCE, 1 - of.contextTokens / COHERENT_LENGTH)),
    speed: share(tokensPerSecond / FULL_SPEED),
    scaling: share(scaling * boost),
  };
}
