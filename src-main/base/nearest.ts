import { distance } from 'fastest-levenshtein';

/** What is further from a name, in letters or as a share of them, is not taken for one that was mistyped. As commander has it. */
const MOST_LETTERS = 3;
const MOST_OF_THEM = 0.6;
/** From so many letters on, the beginning of a name means it. */
const BEGINNING = 3;

/** Whether a word was likely meant to be this name: a few letters are wrong, or it is its beginning. */
export function isNear(word: string, name: string): boolean {
  if (word.length >= BEGINNING && name.startsWith(word)) return true;
  const letters = distance(word, name);
  return letters <= MOST_LETTERS && letters < MOST_OF_THEM * Math.max(word.length, name.length);
}

/** The name that a word was likely meant to be, large letters or small; undefined where none is near. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const small = word.toLowerCase();
  const near = names.filter((name) => isNear(small, name.toLowerCase()));
  return near.toSorted((a, b) => distance(small, a.toLowerCase()) - distance(small, b.toLowerCase()))[0];
}
