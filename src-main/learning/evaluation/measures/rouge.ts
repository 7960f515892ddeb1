import { commonLength } from '../../../base/common-subsequence.ts';

/** Of a text so many words are compared: two samples of 64 tokens have fewer. */
const MOST_WORDS = 400;

/**
 * ROUGE-L between two texts: F1 of their longest common subsequence of words, small letters, 0–1; 1 where both have none. As the original measures collapse (B6): not
 * that of `subnets/quasar/metrics`, which is another package's, by sentences.
 */
export function rougeL(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length + b.length === 0) return 1;
  return (2 * commonLength(a, b)) / (a.length + b.length);
}

/** Mean over all pairs: how alike samples of one question are. @param texts two or more */
export function selfRouge(texts: readonly string[]): number {
  const pairs = texts.flatMap((one, at) => texts.slice(at + 1).map((other) => rougeL(one, other)));
  return pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
}
