import { setImmediate as aTurn } from 'node:timers/promises';
import { cosine } from '../../base/cosine.ts';
import { quantile } from '../../base/quantile.ts';
import { LEAST_SAME, MOST_CLOSENESS, MOST_SAME } from '../models/files/model-manifest.ts';
import type { SpaceThresholds } from '../models/space-thresholds.ts';

/** A clip, or a single picture or sound, as a model has it: all vectors of length 1. */
export interface Reading {
  /** Those of one group are not held against each other: they may be of the same film, or have the same words. */
  group: string;
  vector: Float32Array;
  /** Of a copy that is a little worse: the same clip to whoever looks at both. */
  copy: Float32Array;
  /** Of words that were said of it. */
  text: Float32Array;
}

/** How close each is to its copy and to the others, to its own words and to those of the others. */
export interface Cosines {
  copies: Float32Array;
  others: Float32Array;
  fitting: Float32Array;
  unfitting: Float32Array;
}

/** Each in order, the smallest first. Lets others have a turn between. */
export async function cosinesOf(readings: readonly Reading[]): Promise<Cosines> {
  const [others, unfitting]: [number[], number[]] = [[], []];
  for (const one of readings) {
    for (const other of readings) {
      if (other.group === one.group) continue;
      others.push(cosine(one.vector, other.vector));
      unfitting.push(cosine(one.vector, other.text));
    }
    await aTurn();
  }
  return {
    copies: inOrder(readings.map(({ vector, copy }) => cosine(vector, copy))),
    others: inOrder(others),
    fitting: inOrder(readings.map(({ vector, text }) => cosine(vector, text))),
    unfitting: inOrder(unfitting),
  };
}

/** Why they tell nothing: copies are no closer than others; words are no closer to what they were said of than to others; words are close to all. */
export type Unlike = 'copies' | 'words' | 'scale';

/** Fewer than these may be odd, or put there by somebody to move what is measured. */
const [FEW_BELOW, FEW_ABOVE] = [0.1, 0.9] as const;

/** @returns undefined where something can be told by them: of a library some may be the same film, or silent */
export function whyUnlike({ copies, others, fitting, unfitting }: Cosines): Unlike | undefined {
  const usual = quantile(others, FEW_ABOVE);
  if (quantile(copies, FEW_BELOW) <= usual || usual >= MOST_SAME) return 'copies';
  if (quantile(fitting, 0.5) <= quantile(unfitting, 0.75)) return 'words';
  return quantile(unfitting, 0.75) < MOST_CLOSENESS && quantile(fitting, 0.5) > 0 ? undefined : 'scale';
}

/**
 * From where on cosines mean something, as measured; never beyond what a model may say, and never moved by a tenth of the clips, which may be a stranger's:
 * - `same`: of a hundred honest readings one may fail, and none that is further from its like than nine of ten others are;
 * - `novel`: half way between copies and what is another, so nearer than those that only have something in common; what is the same is never new;
 * - `unrelated`: what most words of others are not as close as, and nearly all own ones are; not less than half of the others' words are;
 * - `closest`: as close as hardly any own words are.
 */
export function thresholdsFrom({ copies, others, fitting, unfitting }: Cosines): SpaceThresholds {
  const same = within(Math.max(lowOf(copies, 0.01), quantile(others, FEW_ABOVE)), [LEAST_SAME, MOST_SAME]);
  const nearest = Math.min(same, highOf(others, 0.99));
  const mostUnrelated = Math.min(quantile(unfitting, 0.75), lowOf(fitting, 0.05));
  return {
    same,
    novel: within(1 - (same + nearest) / 2, [0, 1]),
    unrelated: within(Math.max(quantile(unfitting, 0.5), mostUnrelated), [-1, 1]),
    closest: within(highOf(fitting, 0.95), [0, MOST_CLOSENESS]),
  };
}

/** A low percentile, but no further below what a tenth is below than that is below the middle: the lowest of fifty would be one clip's, whoever's it is. */
function lowOf(sorted: Float32Array, share: number): number {
  return Math.max(quantile(sorted, share), 2 * quantile(sorted, FEW_BELOW) - quantile(sorted, 0.5));
}

/** The same above. */
function highOf(sorted: Float32Array, share: number): number {
  return Math.min(quantile(sorted, share), 2 * quantile(sorted, FEW_ABOVE) - quantile(sorted, 0.5));
}

const inOrder = (numbers: readonly number[]): Float32Array => Float32Array.from(numbers).sort();

const within = (value: number, [least, most]: readonly [number, number]): number =>
  rounded(Math.min(Math.max(value, least), most));

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
