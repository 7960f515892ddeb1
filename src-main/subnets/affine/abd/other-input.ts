import type { SeededRandom } from '../../../validation/seeded-random.ts';

/**
 * Another input of the same form, for a program whose form of input nobody knows: numbers become others of as many digits, words others of as many
 * letters, and a list may lose its last entry. Whether the program takes it is for its run to say.
 */
export function otherInput(random: SeededRandom, input: string): string {
  const lines = input.split('\n');
  const counts = countsIn(lines);
  const shortened = counts && random.below(3) === 0 ? counts.shortened() : undefined;
  const changed = (shortened ?? lines).map((line, at) => (counts && at === 0 ? line : otherLine(random, line)));
  return changed.join('\n');
}

/** A first line that says how many lines, or how many entries, follow: it has to go on saying so. */
function countsIn(lines: readonly string[]): { shortened(): string[] | undefined } | undefined {
  const [first = '', ...rest] = lines;
  if (!/^\d{1,6}$/.test(first.trim())) return undefined;
  const count = Number(first);
  const fewer = String(count - 1);
  if (count === rest.length) return { shortened: () => (count > 1 ? [fewer, ...rest.slice(0, -1)] : undefined) };
  const [entries = ''] = rest;
  const words = entries.trim().split(/\s+/);
  if (rest.length !== 1 || count !== words.length) return undefined;
  return { shortened: () => (count > 1 ? [fewer, words.slice(0, -1).join(' ')] : undefined) };
}

/** Every second line has its entries in another order, too. */
function otherLine(random: SeededRandom, line: string): string {
  const words = line.split(' ').map((word) => otherWord(random, word));
  const isOfOneSort = new Set(words.map((word) => /^-?\d+$/.test(word))).size === 1;
  return (isOfOneSort && random.coin() ? random.sample(words, words.length) : words).join(' ');
}

function otherWord(random: SeededRandom, word: string): string {
  if (random.below(4) === 0) return word;
  if (/^-?\d{1,15}$/.test(word)) return otherNumber(random, word);
  const letters = [...word];
  if (!letters.every((letter) => /[\p{L}\p{N}]/u.test(letter))) return word;
  // Only what is there already: some programs know no other letters.
  return letters.map(() => random.pick(letters)).join('');
}

/** Within a fifth of it, and two at the least; with as many digits. */
function otherNumber(random: SeededRandom, text: string): string {
  const digits = text.replace('-', '');
  const value = Number(digits);
  const reach = Math.min(Math.max(2, Math.floor(value / 5)), 2 ** 30);
  const least = digits.length === 1 ? 0 : 10 ** (digits.length - 1);
  const most = 10 ** digits.length - 1;
  const other = random.between(Math.max(least, value - reach), Math.min(most, value + reach));
  return `${text.startsWith('-') && other !== 0 ? '-' : ''}${other}`;
}
