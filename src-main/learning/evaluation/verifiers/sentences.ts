/** A sentence ends at its mark, at the end of a paragraph and where the next item of a list begins. Marks in a row are looked at once: «……» without end is an answer, too. */
const ENDS = /(?<![.!?])[.!?]+(?=\s|$)|[。！？]+|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•–]|\d{1,3}[.)])[ \t])/u;

/**
 * How many sentences a text has. As the original counts (B6: parts between `[.!?]+` before a space or the end), except that a part without a letter
 * (the number of an item) is none, and that a list without marks has as many as it has items.
 */
export function sentenceCount(text: string): number {
  return text.split(ENDS).filter((part) => /\p{L}/u.test(part)).length;
}

/** How many words: runs without spaces that hold a letter or a digit. */
export function wordCount(text: string): number {
  return wordsOf(text).length;
}

/** The words of a text as they stand there. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
