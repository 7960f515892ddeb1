import { commonItems } from '../../../base/common-subsequence.ts';
import { words } from './python-text.ts';

/** Added below the line of F, as `rouge` does: so nothing is divided by 0, and a perfect answer has 0.999999995. */
const TINY = 1e-8;

/**
 * ROUGE-L of a whole summary, its F, as the Python package `rouge` 1.0.1 has it: sentences end with a point, and words count once, however often they are
 * there. Of what each sentence of the reference has in common with each of the answer, it is the union. Python gives up on sentences of some thousand words
 * (its recursion), which then are worth 0; here they are compared.
 */
export function rougeL(answer: string, reference: string): number {
  const numbers = new Map<string, number>();
  const [said, wanted] = [sentencesOf(answer, numbers), sentencesOf(reference, numbers)];
  if (said.length === 0 || wanted.length === 0) return 0;
  const common = new Set<number>();
  for (const sentence of wanted) {
    for (const other of known(said, sentence)) for (const word of commonItems(sentence, other)) common.add(word);
  }
  const recall = common.size / new Set(wanted.flat()).size;
  const precision = common.size / new Set(said.flat()).size;
  return 2 * ((precision * recall) / (precision + recall + TINY));
}

/** Sentences as lists of words, each word by its number. One of spaces alone has one word, which is empty: so does `rouge`. */
function sentencesOf(text: string, numbers: Map<string, number>): number[][] {
  const sentences = text.split('.').filter((sentence) => sentence.length > 0);
  return sentences.map((sentence) => words(sentence).join(' ').split(' ').map(numbered));

  function numbered(word: string): number {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  }
}

/** What is left of sentences without words that another does not have, each once: a second time it adds nothing, and answers may say the same ten thousand times. */
function known(sentences: readonly number[][], other: readonly number[]): Iterable<number[]> {
  const has = new Set(other);
  const left = new Map<string, number[]>();
  for (const sentence of sentences) {
    const shared = sentence.filter((word) => has.has(word));
    if (shared.length > 0) left.set(shared.join(), shared);
  }
  return left.values();
}
