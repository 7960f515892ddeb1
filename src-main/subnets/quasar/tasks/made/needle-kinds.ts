import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import type { ContextTask } from '../context-task.ts';
import { madeDate, madeName, madePerson, madeSaying, sixDigits, watchword } from './text/made-words.ts';

/** A sentence to be hidden, and what may be asked about it. */
export interface Needle {
  sentence: string;
  question: string;
  /** How the answer is asked for: `the number, in digits`. */
  form: string;
  /** What it says, as it stands there. */
  value: string;
  answer: Pick<ContextTask, 'expected' | 'metric' | 'answerTokens'>;
}

/** Sentences of one kind: whose `key` has which `value`. */
interface Kind {
  key(random: SeededRandom): string;
  value(random: SeededRandom): { text: string; others?: readonly string[] };
  carriers: readonly ((key: string, value: string) => string)[];
  questions: readonly ((key: string) => string)[];
  form: string;
  metric: ContextTask['metric'];
  answerTokens: number;
}

/**
 * The six kinds. No answer can be guessed, and none be had from anything else: both what is asked about and what is asked for are made anew.
 *
 * A number is found among the numbers of an answer (`count`), so that a whole sentence is as good as the number alone, and naming several is not. Words are compared
 * one by one (`f1`): whoever adds some loses some. Half a date would be worth something by that, and can be guessed: it has to be right as a whole, in one of the ways
 * to write it.
 */
const KINDS = {
  fact: {
    key: madeName,
    value: (random) => ({ text: watchword(random) }),
    carriers: [
      (key, value) => `The watchword of the ${key} lodge is ${value}.`,
      (key, value) => `Whoever wants to enter the ${key} lodge has to say ${value}.`,
      (key, value) => `At the door of the ${key} lodge, only the words ${value} are accepted.`,
      (key, value) => `Members of the ${key} lodge know each other by the words ${value}.`,
    ],
    questions: [
      (key) => `What is the watchword of the ${key} lodge?`,
      (key) => `Which three words does the ${key} lodge use as its watchword?`,
      (key) => `What must be said to be let into the ${key} lodge?`,
    ],
    form: 'the words',
    metric: 'f1',
    answerTokens: 32,
  },
  number: {
    key: madeName,
    value: (random) => ({ text: sixDigits(random) }),
    carriers: [
      (key, value) => `The barge ${key} is registered under the number ${value}.`,
      (key, value) => `In the harbour book, the number ${value} stands for the barge ${key}.`,
      (key, value) => `Painted on the bow of the barge ${key} is its registration number, ${value}.`,
      (key, value) => `When the barge ${key} was registered, it was given the number ${value}.`,
    ],
    questions: [
      (key) => `What is the registration number of the barge ${key}?`,
      (key) => `Under which number is the barge ${key} registered?`,
      (key) => `Which number was given to the barge ${key}?`,
    ],
    form: 'the number, in digits',
    metric: 'count',
    answerTokens: 32,
  },
  name: {
    key: madeName,
    value: (random) => ({ text: madePerson(random) }),
    carriers: [
      (key, value) => `The mill of ${key} was built by ${value}.`,
      (key, value) => `It was ${value} who built the mill of ${key}.`,
      (key, value) => `A stone in the mill of ${key} says that ${value} built it.`,
      (key, value) => `For their mill, the people of ${key} have to thank its builder, ${value}.`,
    ],
    questions: [
      (key) => `Who built the mill of ${key}?`,
      (key) => `What is the name of the builder of the mill of ${key}?`,
      (key) => `By whom was the mill of ${key} built?`,
    ],
    form: 'the name',
    metric: 'f1',
    answerTokens: 32,
  },
  date: {
    key: madeName,
    value: madeDate,
    carriers: [
      (key, value) => `The bridge of ${key} was opened on ${value}.`,
      (key, value) => `On ${value}, the first carts crossed the bridge of ${key}, which was opened that day.`,
      (key, value) => `A plate on the bridge of ${key} gives ${value} as the day of its opening.`,
      (key, value) => `Until ${value}, when the bridge of ${key} was opened, there was a ferry.`,
    ],
    questions: [
      (key) => `When was the bridge of ${key} opened?`,
      (key) => `On which date was the bridge of ${key} opened?`,
      (key) => `What is the date of the opening of the bridge of ${key}?`,
    ],
    form: 'the date',
    metric: 'exact-match',
    answerTokens: 32,
  },
  location: {
    key: madeName,
    value: (random) => ({ text: madeName(random) }),
    carriers: [
      (key, value) => `The ${key} manuscript is kept in ${value}.`,
      (key, value) => `Anyone who wants to see the ${key} manuscript has to travel to ${value}.`,
      (key, value) => `In a tower in ${value}, behind glass, lies the ${key} manuscript.`,
      (key, value) => `The town of ${value} owns the ${key} manuscript and keeps it there.`,
    ],
    questions: [
      (key) => `Where is the ${key} manuscript kept?`,
      (key) => `In which town is the ${key} manuscript?`,
      (key) => `Where does one have to go to see the ${key} manuscript?`,
    ],
    form: 'the name of the place',
    metric: 'f1',
    answerTokens: 32,
  },
  quote: {
    key: madePerson,
    value: (random) => ({ text: madeSaying(random) }),
    carriers: [
      (key, value) => `“${value}” was the favourite saying of ${key}.`,
      (key, value) => `${key} liked to say: “${value}.”`,
      (key, value) =>
        `Above the desk of ${key} hung the words “${value}”, and visitors were told that they were the owner’s own.`,
      (key, value) => `A saying of ${key} goes like this: “${value}.”`,
    ],
    questions: [
      (key) => `Which saying is known from ${key}?`,
      (key) => `What did ${key} like to say?`,
      (key) => `How does the saying of ${key} go?`,
    ],
    form: 'the saying',
    metric: 'f1',
    answerTokens: 64,
  },
} as const satisfies Record<string, Kind>;

export type NeedleKind = keyof typeof KINDS;
export const NEEDLE_KINDS = Object.keys(KINDS) as NeedleKind[];

/** A needle of a kind. */
export function needleOf(random: SeededRandom, name: NeedleKind): Needle {
  const kind: Kind = KINDS[name];
  const key = kind.key(random);
  const { text: value, others = [] } = kind.value(random);
  const { form, metric, answerTokens } = kind;
  return {
    sentence: random.pick(kind.carriers)(key, value),
    question: random.pick(kind.questions)(key),
    ...{ form, value },
    answer: { expected: [value, ...others], metric, answerTokens },
  };
}
