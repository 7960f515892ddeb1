import type { SeededRandom } from '../../../../../validation/seeded-random.ts';

/**
 * What one or a few sentences say of the conditions of a table, before it is put into words. Of how these are to be understood, the wording says all: whoever reads the
 * sentences well gets from them what these say.
 */
export type Form =
  /** It has the number. */
  | { is: 'direct'; of: [number]; number: number }
  /** It had another number before. */
  | { is: 'corrected'; of: [number]; before: number; number: number }
  /** It has so many times what another condition has, and so much more or less. That one may be named by the system that was last seen in it. */
  | { is: 'related'; of: [number]; to: number; times: number; plus: number; seen?: string }
  /** Both have as much as a third one and so much more or less. */
  | { is: 'shared'; of: [number, number]; to: number; plus: number }
  /** Three numbers for three conditions: in the same order, from the last to the first, or with the first two changed round. */
  | { is: 'listed'; of: [number, number, number]; numbers: [number, number, number]; order: Order }
  /** The second has so much more (or less) than the first. */
  | { is: 'apart'; of: [number, number]; first: number; by: number }
  /** Both together, and the second by itself. */
  | { is: 'together'; of: [number, number]; sum: number; second: number }
  /** Three numbers by size, and who has the greatest and the least. */
  | { is: 'ranked'; of: [number, number, number]; numbers: [number, number, number]; most: number; least: number };

export const ORDERS = ['same', 'reversed', 'swapped'] as const;
export type Order = (typeof ORDERS)[number];

/** Which system was last seen in a condition, by what it is called. */
export type Sightings = ReadonlyMap<number, string>;

/**
 * Says of every condition which number it has: in no order, each once, some by way of others that are said elsewhere.
 * @param asked the condition that will be asked for. It is told by way of another one that is told by way of others itself
 * @param sightings of other conditions
 */
export function formsFor(random: SeededRandom, values: readonly number[], asked: number, sightings: Sightings): Form[] {
  const others = [...values.keys()].filter((condition) => condition !== asked);
  let left = random.sample(others, others.length);
  const said = new Map<number, number>(); // what may be referred to, so that nothing goes in a circle, and by way of how many others it is told
  const forms: Form[] = [];
  while (left.length > 0) {
    const form = aForm(random, { values, left, said: [...said.keys()], sightings });
    forms.push(form);
    left = left.filter((condition) => !form.of.some((each) => each === condition));
    const way = 'to' in form ? (said.get(form.to) ?? 0) + 1 : 0;
    for (const condition of form.of) said.set(condition, way);
  }
  const draft = { values, left: [asked], said: farthest(said), sightings };
  return [...forms, byWayOf(random, draft, Infinity) as Form];
}

/** What is best referred to: what is told by way of four others, or of as many as there are. */
function farthest(said: ReadonlyMap<number, number>): number[] {
  const most = Math.min(4, Math.max(...said.values()));
  return [...said].filter(([, way]) => way >= most).map(([condition]) => condition);
}

interface Draft {
  values: readonly number[];
  left: readonly number[];
  said: readonly number[];
  sightings: Sightings;
}

function aForm(random: SeededRandom, draft: Draft): Form {
  for (;;) {
    const form = random.pick(MAKERS)(random, draft);
    if (form) return form;
  }
}

/** Each makes a form of the next conditions, where there are enough of them and their numbers suit it. */
const MAKERS: readonly ((random: SeededRandom, draft: Draft) => Form | undefined)[] = [
  (_, { values, left: [one = 0] }) => ({ is: 'direct', of: [one], number: values[one] ?? 0 }),
  (random, { values, left: [one = 0] }) => {
    const number = values[one] ?? 0;
    const before = random.between(2, 40);
    return before === number ? undefined : { is: 'corrected', of: [one], before, number };
  },
  // Three chances of as many more: what is asked for is to be some steps away from any number.
  (random, draft) => byWayOf(random, draft, 15),
  (random, draft) => byWayOf(random, draft, 15),
  (random, draft) => byWayOf(random, draft, 15),
  (random, { values, left: [one = 0, ...others], said }) => {
    const other = others.find((each) => values[each] === values[one]);
    if (said.length === 0 || other === undefined) return undefined;
    const to = random.pick(said);
    return { is: 'shared', of: [one, other], to, plus: (values[one] ?? 0) - (values[to] ?? 0) };
  },
  (random, { values, left }) => {
    if (left.length < 3) return undefined;
    const of = left.slice(0, 3) as [number, number, number];
    const order = random.pick(ORDERS);
    return {
      is: 'listed',
      of,
      numbers: inOrder(
        of.map((each) => values[each] ?? 0),
        order,
      ),
      order,
    };
  },
  (_, { values, left: [one = 0, other] }) => {
    if (other === undefined || values[one] === values[other]) return undefined;
    return { is: 'apart', of: [one, other], first: values[one] ?? 0, by: (values[other] ?? 0) - (values[one] ?? 0) };
  },
  (_, { values, left: [one = 0, other] }) => {
    if (other === undefined) return undefined;
    const second = values[other] ?? 0;
    return { is: 'together', of: [one, other], sum: (values[one] ?? 0) + second, second };
  },
  (random, { values, left }) => {
    if (left.length < 3) return undefined;
    const of = left.slice(0, 3) as [number, number, number];
    const numbers = of.map((each) => values[each] ?? 0) as [number, number, number];
    if (new Set(numbers).size < 3) return undefined;
    const [most, least] = [numbers.indexOf(Math.max(...numbers)), numbers.indexOf(Math.min(...numbers))];
    return { is: 'ranked', of, numbers: random.sample(numbers, 3) as [number, number, number], most, least };
  },
];

/** @param furthest that it may be from so many times the other one's number */
function byWayOf(
  random: SeededRandom,
  { values, left: [one = 0], said, sightings }: Draft,
  furthest: number,
): Form | undefined {
  if (said.length === 0) return undefined;
  const to = random.pick(said);
  const times = random.between(1, 3);
  const plus = (values[one] ?? 0) - times * (values[to] ?? 0);
  return Math.abs(plus) > furthest ? undefined : { is: 'related', of: [one], to, times, plus, seen: sightings.get(to) };
}

/** Numbers as they are told in an order. It is its own way back. */
export function inOrder(numbers: readonly number[], order: Order): [number, number, number] {
  const [a = 0, b = 0, c = 0] = numbers;
  return { same: [a, b, c], reversed: [c, b, a], swapped: [b, a, c] }[order] as [number, number, number];
}
