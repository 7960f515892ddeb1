import { madeTasks } from '../context-task.ts';
import { asked } from './text/asked.ts';
import { aShare, branches, distinct } from './text/branches.ts';
import { madeName, madePerson, sixDigits } from './text/made-words.ts';
import { passage } from './text/passage.ts';

type Says = (a: string, b: string) => string;

const KEEPERS: readonly Says[] = [
  (map, keeper) => `The ${map} map is in the keeping of ${keeper}.`,
  (map, keeper) => `It is ${keeper} who looks after the ${map} map.`,
  (map, keeper) => `Since last year, the ${map} map has been kept by ${keeper}.`,
  (map, keeper) => `Anyone who asks for the ${map} map is sent to ${keeper}, its keeper.`,
];
const LOCKERS: readonly Says[] = [
  (keeper, locker) => `The locker of ${keeper} has the number ${locker}.`,
  (keeper, locker) => `At the station, locker ${locker} belongs to ${keeper}.`,
  (keeper, locker) => `${keeper} rents a locker, and ${locker} is its number.`,
  (keeper, locker) => `On the list of lockers, ${locker} stands beside ${keeper}.`,
];
const QUESTIONS: readonly ((map: string) => string)[] = [
  (map) => `What is the number of the locker of whoever keeps the ${map} map?`,
  (map) => `The keeper of the ${map} map has a locker. Which number does it have?`,
  (map) => `Which locker belongs to the person who looks after the ${map} map?`,
];

/** Which of the two sentences stands first. */
const ORDERS = ['forward', 'backward'] as const;

/** Of three maps, so that no number is the only one there is. */
const CHAINS = 3;

/** One sentence says who keeps a map, another one, in the other half of the text, which number that person's locker has. Asked is from the map to the number. */
export const twoHop = madeTasks({
  name: 'two-hop',
  version: '1',
  variants: ORDERS,
  leastWords: 200,
  *steps(random, variant, words) {
    const draws = branches(random);
    const own = draws('needles');
    const names = distinct(CHAINS, () => madeName(own));
    const keepers = distinct(CHAINS, () => madePerson(own));
    const numbers = distinct(CHAINS, () => sixDigits(own));
    const hops = [
      names.map((name, at) => own.pick(KEEPERS)(name, keepers[at] ?? '')),
      keepers.map((keeper, at) => own.pick(LOCKERS)(keeper, numbers[at] ?? '')),
    ];
    const places = draws('places');
    const halves = variant === 'forward' ? [0.05, 0.55] : [0.55, 0.05];
    const insertions = hops.flatMap((sentences, hop) =>
      sentences.map((text) => ({ text, at: ((halves[hop] ?? 0) + 0.4 * aShare(places)) * words })),
    );
    const { context, depths } = yield* passage(draws('filler'), words, insertions);
    return names.map((name, at) => ({
      ...{ dataset: 'two-hop', variant, context },
      prompt: asked(context, own.pick(QUESTIONS)(name), 'the number, in digits'),
      expected: [numbers[at] ?? ''],
      metric: 'count', // as for needles that are numbers
      answerTokens: 32,
      depth: Math.min(depths[at] ?? 0, depths[at + CHAINS] ?? 0),
    }));
  },
});
