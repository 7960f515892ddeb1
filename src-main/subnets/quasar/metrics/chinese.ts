import { chineseWords } from './chinese-words.ts';
import { normaliseChinese } from './normalise.ts';
import { overlap } from './overlap.ts';
import { rougeL } from './rouge.ts';

/** F1 of words in Chinese, each normalised (LongBench, questions and answers in Chinese). */
export function f1Chinese(answer: string, reference: string): number {
  return overlap(wordsOf(answer), wordsOf(reference));
}

/** ROUGE-L of words in Chinese. A sentence ends with the point of Latin letters here, too: that is how it is measured elsewhere. */
export function rougeLChinese(answer: string, reference: string): number {
  return rougeL(chineseWords(answer).join(' '), chineseWords(reference).join(' '));
}

const wordsOf = (text: string) => chineseWords(text).map(normaliseChinese).filter(Boolean);
