import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { LOCALS, NOUNS, PURPOSES, QUALITIES, REMARKS, VERBS } from './words.ts';

/** A sentence about a function, in a docstring of one line. */
export function docstring(random: SeededRandom): string {
  const verb = random.pick(VERBS);
  const what = `${random.pick(QUALITIES)} ${random.pick(NOUNS)}`;
  return `"""${verb.charAt(0).toUpperCase()}${verb.slice(1)} the ${what} ${random.pick(PURPOSES)}."""`;
}

/** A remark that is of no use, now and then: none, or one line. */
export const remark = (random: SeededRandom): string[] => (random.below(4) === 0 ? [`# ${random.pick(REMARKS)}`] : []);

/**
 * What a function reckons from its arguments, for nobody: so many statements, of which some have lines of their own below. Every name that it gives a value is read.
 * @param args names that have a value @param statements at least one: the last returns something
 */
export function plainBody(random: SeededRandom, args: readonly string[], statements: number): string[] {
  const lines: string[] = [];
  let last = args.length > 0 ? random.pick(args) : String(random.between(10, 9_999));
  let isLocal = false;
  for (let at = 1; at < statements; at++) {
    const [many, few] = [random.between(10, 9_999), random.between(2, 9)];
    const way = isLocal ? random.below(4) : 0;
    if (way === 2) lines.push(`if ${last} > ${many}:`, `    ${last} -= ${few}`);
    else if (way === 3) lines.push(`for step in range(${few}):`, `    ${last} += step * ${many}`);
    else {
      const name = localName(at);
      const other = args.length > 0 ? random.pick(args) : String(few);
      lines.push(way === 0 ? `${name} = ${last} * ${few} + ${many}` : `${name} = max(${last}, ${other}) + ${many}`);
      [last, isLocal] = [name, true];
    }
  }
  return [...lines, `return ${last} + ${random.between(10, 9_999)}`];
}

/** The name of the so-many-th local of a function. */
export function localName(at: number): string {
  const round = Math.floor(at / LOCALS.length);
  return `${LOCALS[at % LOCALS.length]}${round > 0 ? `_${round}` : ''}`;
}
