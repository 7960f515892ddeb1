import type { SeededRandom } from '../../../../../validation/seeded-random.ts';
import type { Form } from './forms.ts';
import { capital, conditionInWords, numberInText } from './lexicon.ts';

/** Which of the two books: by how much a reading is multiplied, and what is added then. */
export type Table = 'factor' | 'supplement';

const HEADINGS: Readonly<Record<Table, readonly string[]>> = {
  factor: [
    'On multiplying, the rules say this.',
    'What follows is about how many times a reading counts.',
    'The next lines are about factors.',
    'By how much a reading is multiplied was settled as follows.',
    'This has to do with multiplication alone.',
    'Here the times are meant, and not what is added.',
    'So much for additions; now for the product.',
  ],
  supplement: [
    'On adding, the rules say this.',
    'What follows is about what comes on top of the product.',
    'The next lines are about supplements.',
    'How much is put on in the end was settled as follows.',
    'This has to do with addition alone.',
    'Here what is added is meant, and not the times.',
    'So much for the factors; now for the surcharge.',
  ],
};

/**
 * A few forms of one table in words, with what tells which table it is. Where they are about different numbers of conditions, each begins before any goes on: what goes
 * on says which one it belongs to.
 */
export function paragraph(random: SeededRandom, table: Table, forms: readonly Form[]): string {
  const texts = forms.map((form) => worded(random, form));
  const sizes = new Set(forms.map(({ of }) => of.length));
  const told = sizes.size === forms.length && forms.length > 1 ? interleaved(random, forms, texts) : texts;
  return [random.pick(HEADINGS[table]), ...told].join(' ');
}

const GROUPS: Readonly<Record<number, readonly string[]>> = {
  1: ['As for the one that was named by itself:', 'Now for the case that stands alone:'],
  2: ['As for the pair:', 'Now for the two that were named together:'],
  3: ['As for the group of three:', 'Now for those of whom there are three:'],
};

function interleaved(random: SeededRandom, forms: readonly Form[], texts: readonly string[]): string[] {
  const parts = texts.map((text) => /^(.*?[.?]) (.*)$/.exec(text)?.slice(1) ?? [text]);
  const rests = parts.flatMap(([, rest], at) =>
    rest
      ? [`${random.pick(GROUPS[forms[at]?.of.length ?? 1] ?? [])} ${rest.charAt(0).toLowerCase()}${rest.slice(1)}`]
      : [],
  );
  return [...parts.map(([first = '']) => first), ...random.sample(rests, rests.length)];
}

/** A form in words. */
export function worded(random: SeededRandom, form: Form): string {
  const number = (value: number) => numberInText(random, value);
  const machine = (condition: number) =>
    `${random.pick(['a machine that is', 'whatever is', 'anything that is', 'one that is', 'a machine found'])} ${conditionInWords(random, condition)}`;
  const [one = '', two = '', three = ''] = form.of.map(machine);
  const pick = (...ways: string[]) => capital(random.pick(ways));
  switch (form.is) {
    case 'direct': {
      const value = number(form.number);
      return pick(
        `${one} gets ${value}.`,
        `${value} is the number for ${one}.`,
        `there is ${one}: it gets ${value}.`,
        `with ${one}, ${value} is right.`,
      );
    }
    case 'corrected': {
      const [before, now] = [number(form.before), number(form.number)];
      return pick(
        `${one} used to get ${before}. That was struck out, and ${now} was written in its place.`,
        `for ${one}, it is ${now} nowadays. Older copies still have ${before}.`,
        `${before} was proposed for ${one}. Nobody agreed, and so ${now} was settled on.`,
        `it is not ${before} that ${one} gets, whatever people say, but ${now}.`,
        `${one} gets ${now}, where it had ${before} until the spring.`,
      );
    }
    case 'related': {
      const other = `${random.pick(['what is given to', 'the number of', 'what stands for', 'the share of'])} ${form.seen ? sighting(random, form.seen) : machine(form.to)}`;
      const term = termOf(random, other, form.times, form.plus);
      return pick(
        `${one} gets ${term}.`,
        `nobody wrote down a number for ${one}. It is known to be ${term}.`,
        `to find what ${one} gets, look elsewhere: it is ${term}.`,
        `${term} is what ${one} has.`,
        `${one} was left out of the list on purpose: ${term}, and that is all there is to it.`,
        ...(form.times === 1 ? [`if ${other} is known, ${one} is known too. ${apartBy(random, form.plus)}`] : []),
      );
    }
    case 'shared': {
      const term = termOf(random, `what is given to ${machine(form.to)}`, 1, form.plus);
      return pick(
        `${one} and ${two} are treated alike. Either gets ${term}.`,
        `no difference is made between ${one} and ${two}; both have ${term}.`,
        `what holds for ${one} holds for ${two} as well, namely ${term}.`,
      );
    }
    case 'listed': {
      const [a, b, c] = form.numbers.map(number);
      const list = `${one}; ${two}; ${three}`;
      // Where they are told in another order, what is told first is the last one's, or the second one's.
      const placed = {
        same: `The middle one has ${b}, the one to its left ${a}, the one to its right ${c}.`,
        reversed: `The last of them has ${a}, the one before it ${b}, the one that remains ${c}.`,
        swapped: `The middle one has ${a}, the one before it ${b}, the one after it ${c}.`,
      }[form.order];
      if (random.coin())
        return `${pick('three cases make up this entry', 'there is an entry for three')}: ${list}. ${placed}`;
      const how = {
        same: pick('In that order, they get', 'Respectively, these have', 'Taken as they stand, their numbers are'),
        reversed: pick(
          'From the last to the first, they get',
          'Read backwards, these have',
          'Starting at the end, they have',
        ),
        swapped: pick(
          'With the first two changing places, they get',
          'These have, but with the first two the other way round,',
        ),
      }[form.order];
      return `${pick('three cases came up on one day', 'these were settled in one go', 'take these cases')}: ${list}. ${how} ${a}, ${b} and ${c}.`;
    }
    case 'apart': {
      const [first, by] = [number(form.first), number(Math.abs(form.by))];
      const more = form.by > 0 ? 'more' : 'less';
      return pick(
        `there is ${one}, and there is ${two}. The former gets ${first}, the latter ${by} ${more}.`,
        `${one} and ${two} are not the same. The second of these has ${by} ${more} than the first, which has ${first}.`,
        `think of ${one}, then of ${two}. It is ${first} for the one thought of first. For the other, ${by} ${more}.`,
        `${form.by > 0 ? 'take' : 'add'} ${by} ${form.by > 0 ? 'from' : 'to'} what ${two} gets, and there is what ${one} gets, which is ${first}.`,
        `${two} would have ${first} like ${one}, had it not been decided to make it ${by} ${more}.`,
        `compared with ${one}, ${two} gets ${by} ${more}. The one it is compared with has ${first}.`,
      );
    }
    case 'together': {
      const [sum, second] = [number(form.sum), number(form.second)];
      return pick(
        `${one} and ${two} have ${sum} between them. Of that, ${second} belongs to the latter.`,
        `put together, ${one} and ${two} make ${sum}. The second one’s part of it is ${second}, the rest is the first one’s.`,
        `of ${sum}, ${two} took ${second} and left the remainder to ${one}.`,
        `${one} would have all of ${sum}, were it not for ${two}, which has ${second} of it.`,
        `between ${one} and ${two}, ${sum} is to be divided: ${second} to the one named last, what is left to the other.`,
      );
    }
    case 'ranked': {
      const [a, b, c] = form.numbers.map(number);
      const ordinals = ['first', 'second', 'third'];
      const [most, least] = [ordinals[form.most], ordinals[form.least]];
      const middle = 3 - form.most - form.least;
      const machines = [one, two, three];
      const [top, between, bottom] = [form.most, middle, form.least].map((at) => machines[at] ?? '');
      return pick(
        `nothing has more than ${top}, nothing less than ${bottom}, and ${between} stands in the middle. To be given out were ${a}, ${b} and ${c}.`,
        `${between} has more than ${bottom} and less than ${top}. The numbers for these are, in no order, ${a}, ${b} and ${c}.`,
        `${a}, ${b} and ${c} were shared out among ${one}, ${two} and ${three}. The ${most} of these machines has the most, the ${least} has the least.`,
        `there are three cases: ${one}; ${two}; ${three}. They have ${a}, ${b} and ${c}, in no order: the ${least} has the smallest number, the ${most} the greatest.`,
      );
    }
  }
}

/** A condition by the system that was last seen in it. */
const sighting = (random: SeededRandom, alias: string): string =>
  random.pick([
    `a machine in the state in which ${alias} was last seen`,
    `whatever is as ${alias} was by its latest report`,
    `anything like ${alias}, going by the newest report on that`,
  ]);

/** How far a second thing that was named is from the first. */
function apartBy(random: SeededRandom, plus: number): string {
  if (plus === 0) return 'They are equal.';
  const number = numberInText(random, Math.abs(plus));
  return `They are ${number} apart, and the ${plus > 0 ? 'greater' : 'smaller'} number belongs to the latter.`;
}

/** So many times what another has, and so much more or less. */
function termOf(random: SeededRandom, other: string, times: number, plus: number): string {
  const product = times === 1 ? other : `${times === 2 ? random.pick(['twice', 'double']) : 'three times'} ${other}`;
  if (plus === 0) return times === 1 ? `as much as ${other}` : product;
  const number = numberInText(random, Math.abs(plus));
  return plus > 0
    ? random.pick([`${number} more than ${product}`, `${number} above ${product}`])
    : random.pick([`${number} less than ${product}`, `${number} short of ${product}`]);
}
