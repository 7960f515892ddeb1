import { likeness, wordSet } from './word-sets.ts';

/** So alike two answers have to be (QUASAR, perturbations). */
export const CONSISTENT_FROM = 0.85;

export interface Consistency {
  /** 0 to 1. */
  likeness: number;
  isConsistent: boolean;
}

/**
 * Whether the same question, put a little differently, gets the same answer (QUASAR, perturbations). The original compares an answer with itself, which is
 * always consistent; here it is two. Where one of them says nothing, they are not alike.
 */
export function consistencyOf(answer: string, toPerturbed: string): Consistency {
  const alike = likeness(wordSet(answer), wordSet(toPerturbed));
  return { likeness: alike, isConsistent: alike >= CONSISTENT_FROM };
}
