import { beginningOf } from '../../../validation/answer-text.ts';
import { MOST_COMPARED } from '../metrics/metrics.ts';

/** Of the beginning of a text, which words it has, in small letters. */
export function wordSet(text: string): Set<string> {
  return new Set(beginningOf(text, MOST_COMPARED).toLowerCase().split(/\s+/).filter(Boolean));
}

/** Of all words that two texts have, the share that both have (Jaccard), 0 to 1; 0 where neither has one. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.union(other).size;
  return all === 0 ? 0 : one.intersection(other).size / all;
}
