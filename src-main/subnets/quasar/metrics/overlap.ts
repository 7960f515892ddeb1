import { normalise, normalisedWords } from './normalise.ts';

/** F1 of words that answer and reference have in common, each as often as in both (LongBench, questions and answers). */
export function f1(answer: string, reference: string): number {
  return overlap(normalisedWords(answer), normalisedWords(reference));
}

/** Whether both say the same but for letters’ size, punctuation and articles. */
export function exactMatch(answer: string, reference: string): number {
  return normalise(answer) === normalise(reference) ? 1 : 0;
}

/** F1 of what two lists have in common, each as often as it is in both; 0 where that is nothing, also of two empty ones. */
export function overlap(answer: readonly string[], reference: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of reference) left.set(word, (left.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of answer) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    same++;
  }
  if (same === 0) return 0;
  const [precision, recall] = [same / answer.length, same / reference.length];
  return (2 * precision * recall) / (precision + recall);
}
