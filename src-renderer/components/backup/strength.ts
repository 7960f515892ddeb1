import { MIN_PASSWORD_CHARS } from '../../../src-preload/contract/limits.ts';

export type Strength = 'short' | 'weak' | 'fair' | 'strong';

/** Kinds of characters, and how many there are of each. */
const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 30],
];

/** A hint, and no promise: how many guesses it takes at least goes by how it was chosen, which nobody sees. */
export function strengthOf(password: string): Strength {
  if (password.length < MIN_PASSWORD_CHARS) return 'short';
  const kinds = KINDS.reduce((sum, [kind, count]) => sum + (kind.test(password) ? count : 0), 0);
  // What is said again and again, «aaaa» or «1111», is not hard to guess.
  const bits = Math.min(password.length, 2 * new Set(password).size) * Math.log2(Math.max(2, kinds)) * 0.6;
  return bits < 45 ? 'weak' : bits < 65 ? 'fair' : 'strong';
}
