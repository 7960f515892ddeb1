import { SeededRandom } from '../../../../../validation/seeded-random.ts';

/** Draws of this many numbers name a task: 256 bits. */
const DRAWS = 8;

/**
 * Draws for the parts of a task, each from a stream of its own. A text that becomes longer draws more for its filler, and that must not change what is drawn for
 * anything else.
 * @returns the draws for a part, by its name; the same ones each time
 */
export function branches(random: SeededRandom): (part: string) => SeededRandom {
  const key = Array.from({ length: DRAWS }, () => random.below(2 ** 32)).join(' ');
  return (part) => new SeededRandom(`${key} ${part}`);
}

/** A share of something: from 0 up to, but not, 1. */
export const aShare = (random: SeededRandom): number => random.below(2 ** 20) / 2 ** 20;

/** So many things, none like another. */
export function distinct<Item>(count: number, draw: () => Item): Item[] {
  const drawn = new Set<Item>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}
