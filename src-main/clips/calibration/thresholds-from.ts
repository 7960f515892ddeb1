import { setImmediate as aTurn } from 'node:timers/promises';
import { cosine } from '../../base/cosine.ts';
import { quantile } from '../../base/quantile.ts';
import { MOST_CLOSENESS } from '../models/files/model-manifest.ts';
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

/** Why they tell nothing: copies are no closer than others; words are no closer to what they were said of than to others. */
export type Unlike = 'copies' | 'words';

/** @returns undefined where something can be told by them: of a library some may be the same film, or silent */
export function whyUnlike({ copies, others, fitting, unfitting }: Cosines): Unlike | undefined {
  if (quantile(copies, 0.05) <= quantile(others, 0.9)) return 'copies';
  return quantile(fitting, 0.5) <= quantile(unfitting, 0.75) ? 'words' : undefined;
}

/**
 * From where on cosines mean something, as measured:
 * - `same`: of a hundred honest readings one may fail, and none that is further from its like than others are;
 * - `novel`: half way between copies and what is another, so nearer than those that only have something in common;
 * - `unrelated`: what most words of others are not as close as, and nearly all own ones are;
 * - `closest`: as close as hardly any own words are.
 */
export function thresholdsFrom({ copies, others, fitting, unfitting }: Cosines): SpaceThresholds {
  return {
    same: within(Math.max(quantile(copies, 0.01), quantile(others, 0.5)), 1),
    novel: within(1 - (quantile(copies, 0.01) + quantile(others, 0.99)) / 2, 1),
    unrelated: rounded(Math.min(quantile(unfitting, 0.75), quantile(fitting, 0.05))),
    closest: within(quantile(fitting, 0.95), MOST_CLOSENESS),
  };
}

const inOrder = (numbers: readonly number[]): Float32Array => Float32Array.from(numbers).sort();

const within = (value: number, most: number): number => rounded(Math.min(Math.max(value, 0), most));

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
