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
  const common = commonWords(wanted, said);
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

/**
 * Of what each sentence has in common with each other one, all of it. Strangers write the texts, and may make thousands of sentences: what can add nothing is not
 * compared, be it a sentence that was there before, or one with which nothing is shared but what was found already.
 */
function commonWords(wanted: readonly number[][], said: readonly number[][]): Set<number> {
  const common = new Set<number>();
  const others = eachOnce(said);
  const holders = holdersOf(others);
  for (const sentence of eachOnce(wanted)) {
    const has = new Set(sentence);
    const adding = new Set<number[]>();
    for (const word of has) if (!common.has(word)) for (const other of holders.get(word) ?? []) adding.add(other);
    for (const shared of eachOnce([...adding].map((other) => other.filter((word) => has.has(word))))) {
      if (shared.every((word) => common.has(word))) continue;
      for (const word of commonItems(sentence, shared)) common.add(word);
    }
  }
  return common;
}

function eachOnce(sentences: readonly number[][]): number[][] {
  return [...new Map(sentences.map((sentence) => [sentence.join(), sentence])).values()];
}

/** The sentences in which each word is. */
function holdersOf(sentences: readonly number[][]): Map<number, number[][]> {
  const holders = new Map<number, number[][]>();
  for (const sentence of sentences)
    for (const word of new Set(sentence)) {
      const known = holders.get(word);
      if (known) known.push(sentence);
      else holders.set(word, [sentence]);
    }
  return holders;
}
