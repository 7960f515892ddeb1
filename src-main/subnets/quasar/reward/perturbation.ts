import type { SeededRandom } from '../../../validation/seeded-random.ts';

/**
 * How a question is put a little differently without asking for anything else (QUASAR, perturbations). The third way of QUASAR, two sentences of the text the other way
 * round, is not here: where order or place is what was asked for, another answer is right then.
 */
export const PERTURBATIONS = ['paraphrase', 'noise'] as const;
export type Perturbation = (typeof PERTURBATIONS)[number];

/** Words of questions, and others that say the same there. */
const SAME: readonly (readonly [string, string])[] = [
  ['find', 'locate'],
  ['exact', 'precise'],
  ['mentioned', 'named'],
  ['answer', 'reply'],
  ['text', 'passage'],
  ['give', 'state'],
  ['only', 'just'],
];

const PERTURB: Record<Perturbation, (text: string, random: SeededRandom) => string | undefined> = {
  paraphrase,
  noise: withSpace,
};

/**
 * The text, changed: a word of a question for another, or one space more.
 * @returns the same for the same draws; undefined where the text has nothing to change: then it would be no test
 */
export function perturbed(text: string, kind: Perturbation, random: SeededRandom): string | undefined {
  return PERTURB[kind](text, random);
}

function paraphrase(text: string, random: SeededRandom): string | undefined {
  const hits = SAME.filter(([word]) => patternOf(word).test(text));
  if (hits.length === 0) return undefined;
  const [word, other] = random.pick(hits);
  return text.replace(patternOf(word), (found) => (found[0] === word[0] ? other : capital(other)));
}

const patternOf = (word: string) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'iu');
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Behind a space that there is, the first from a place that is drawn; so no word falls apart. */
function withSpace(text: string, random: SeededRandom): string | undefined {
  const from = random.below(Math.max(1, text.length));
  const found = text.indexOf(' ', from);
  const at = found < 0 ? text.indexOf(' ') : found;
  return at < 0 ? undefined : `${text.slice(0, at)} ${text.slice(at)}`;
}
