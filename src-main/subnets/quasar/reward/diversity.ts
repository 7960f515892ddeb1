import type { MetricName } from '../metrics/metrics.ts';
import { likeness, wordSet } from './word-sets.ts';

/** (QUASAR, diversity) */
const ABOVE = { diversity: 0.7, factor: 1.1 };
const BELOW = { diversity: 0.3, factor: 0.8 };
const LAST_OF_OTHERS = 20;
const LAST_OF_OWN = 10;
/** With fewer texts there is nothing to say yet. */
const LEAST_OF_OTHERS = 2;
const LEAST_OF_OWN = 3;

/** Where a right answer can be put in many ways. Anywhere else two that are right are the same, and to hold that against them would punish being right. */
const FREE_TEXT: ReadonlySet<MetricName> = new Set<MetricName>(['rouge-l', 'rouge-l-zh']);

export interface Diversity {
  /** How unlike the answer is to what others answered last, 0 to 1. */
  uniqueness: number;
  /** How unlike the miner’s own last answers are to each other, 0 to 1. */
  variety: number;
}

/**
 * How much of an answer is its miner’s own (QUASAR, diversity). The original counts besides how rare a model’s architecture is: that is the miner’s word, and nothing
 * is earned by it here.
 * @param others answers of other miners, oldest first @param own the miner’s own, oldest first
 */
export function diversityOf(answer: string, others: readonly string[], own: readonly string[]): Diversity {
  return {
    uniqueness: uniquenessOf(answer, others.slice(-LAST_OF_OTHERS)),
    variety: varietyOf(own.slice(-LAST_OF_OWN)),
  };
}

/** A score with what diversity adds or takes; as it is where answers are no free text. 0 to 1. */
export function withDiversity(score: number, metric: MetricName, { uniqueness, variety }: Diversity): number {
  if (!FREE_TEXT.has(metric)) return score;
  const mean = (uniqueness + variety) / 2;
  if (mean > ABOVE.diversity) return Math.min(1, score * ABOVE.factor);
  return mean < BELOW.diversity ? score * BELOW.factor : score;
}

function uniquenessOf(answer: string, others: readonly string[]): number {
  if (others.length < LEAST_OF_OTHERS) return 1;
  const words = wordSet(answer);
  return 1 - Math.max(...others.map((other) => likeness(words, wordSet(other))));
}

function varietyOf(own: readonly string[]): number {
  if (own.length < LEAST_OF_OWN) return 1;
  const sets = own.map(wordSet);
  const pairs = sets.flatMap((one, at) => sets.slice(at + 1).map((other) => likeness(one, other)));
  return 1 - pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
}
