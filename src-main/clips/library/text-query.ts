/** More words of a question are not heeded. */
const MOST_WORDS = 20;

/** Half of all words begin with one of a few letters: whoever types one of them means that very word. */
const ONE_LETTER = /^[a-z0-9]$/i;

/**
 * What somebody types, as FTS5 wants to be asked: each word has to be there, or one that begins so. Nothing in it steers the search.
 * @returns undefined where there is no word in it
 */
export function textQuery(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MOST_WORDS);
  return words?.map((word) => (ONE_LETTER.test(word) ? `"${word}"` : `"${word}"*`)).join(' ');
}
