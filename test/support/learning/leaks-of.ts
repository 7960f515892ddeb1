import type { PromptSet } from '../../../src-main/learning/evaluation/prompts/prompt-set.ts';

/** How like two questions may be, by the words that they share: Jaccard's share of all their words. */
const MOST_ALIKE = 0.6;

/** Pairs of a set, one for training and one held out, that are the same question or nearly so. Empty where the set is sound. */
export function leaksOf({ training, heldOut }: PromptSet): [string, string][] {
  return training.flatMap((taught) =>
    heldOut.filter((held) => likeness(taught, held) > MOST_ALIKE).map((held): [string, string] => [taught, held]),
  );
}

function likeness(one: string, other: string): number {
  const [a, b] = [words(one), words(other)];
  const shared = a.intersection(b).size;
  return shared / Math.max(1, a.union(b).size);
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu));
}
