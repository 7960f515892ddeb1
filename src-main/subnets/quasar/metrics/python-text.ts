/**
 * Texts as Python sees them, where JavaScript differs: what is a space, a digit, a letter of a word, and that characters are code points. Of letters that
 * Unicode took in after version 14, Python 3.11 knows nothing and Node does: they are no reason to differ here.
 */

/** What `str.isspace` says of a character; JavaScript’s `\s` has U+FEFF besides, and neither U+001C to U+001F nor U+0085. */
const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SPACES = new RegExp(`[${SPACE}]+`, 'u');
const ONE_SPACE = new RegExp(`^[${SPACE}]$`, 'u');
const DIGITS = /\p{Nd}+/gu;

/** A letter, digit or `_`, inside of brackets of a regular expression with the flag `u`: what `\w` is. */
export const WORD = '\\p{L}\\p{N}_';

const isSpace = (character: string) => ONE_SPACE.test(character);

/** As `text.split()`: what stands between spaces, of any kind and number. */
export function words(text: string): string[] {
  return text.split(SPACES).filter(Boolean);
}

/** As `text.strip()`. One step a character: a regular expression for the end would be quadratic on a text full of spaces. */
export function strip(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isSpace(text[from] as string)) from++;
  while (to > from && isSpace(text[to - 1] as string)) to--;
  return text.slice(from, to);
}

/** As `re.findall(r'\d+', text)`: numbers, in whatever digits they are written. */
export function numbersIn(text: string): string[] {
  return text.match(DIGITS) ?? [];
}

/** As `text.lstrip('\n').split('\n')`. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const first = lines.findIndex(Boolean);
  return first < 0 ? [''] : lines.slice(first);
}

/** A text’s characters as Python counts them; halves of pairs count as one. */
export const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
