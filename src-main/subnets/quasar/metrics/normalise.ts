import { WORD, words } from './python-text.ts';

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** The same and what Chinese writes, as LongBench lists it: of the brackets for titles it has the closing one alone, and no full-width point. */
const CHINESE_PUNCTUATION =
  /[!-/:-@[-`{-~\u2013\u2014\u2018\u2019\u201b-\u201f\u2026\u2027\u3001-\u3003\u300b-\u3011\u3014-\u301f\u3030\u303e\u303f\ufe4f\uff01-\uff0d\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64]/g;
const ARTICLES = new RegExp(`(?<![${WORD}])(?:a|an|the)(?![${WORD}])`, 'gu');

/** Small letters, then no ASCII punctuation, then no articles, words a space apart: in this order (LongBench, answers to questions). */
export function normalise(text: string): string {
  return normalisedWords(text).join(' ');
}

/** The words of a text that is normalised. */
export function normalisedWords(text: string): string[] {
  return words(text.toLowerCase().replace(ASCII_PUNCTUATION, '').replace(ARTICLES, ' '));
}

/** Small letters without punctuation and without spaces (LongBench, answers in Chinese). */
export function normaliseChinese(text: string): string {
  return words(text.toLowerCase().replace(CHINESE_PUNCTUATION, '')).join('');
}
