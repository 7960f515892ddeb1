import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { madeTasks } from '../context-task.ts';
import { asked } from './text/asked.ts';
import { aShare, branches, distinct } from './text/branches.ts';
import { madeName, madePerson } from './text/made-words.ts';
import { passage } from './text/passage.ts';

/** Terms that the text has, and terms that are asked for. */
const SHOWN = 10;
const NEXT = 3;

/** A row of {@link SHOWN} and {@link NEXT} terms. Where it starts is drawn: the row that everybody knows would be continued without the text. */
const ROWS = {
  fibonacci(random: SeededRandom): string[] {
    const row = [random.between(2, 60), random.between(2, 60)] as [number, number, ...number[]];
    while (row.length < SHOWN + NEXT) row.push((row.at(-2) ?? 0) + (row.at(-1) ?? 0));
    return row.map(String);
  },
  prime(random: SeededRandom): string[] {
    const row: number[] = [];
    for (let number = random.between(50, 3_000); row.length < SHOWN + NEXT; number++) {
      if (isPrime(number)) row.push(number);
    }
    return row.map(String);
  },
  /** Two or three words by turns. */
  alternating(random: SeededRandom): string[] {
    const words = distinct(random.between(2, 3), () => madeName(random));
    return Array.from({ length: SHOWN + NEXT }, (_, at) => words[at % words.length] ?? '');
  },
} as const;

const SAYS: readonly ((writer: string, row: string) => string)[] = [
  (writer, row) => `On a slip of paper, ${writer} had written a row that broke off: ${row}.`,
  (writer, row) => `${writer} read out a row and then fell silent: ${row}.`,
  (writer, row) => `The row in the notebook of ${writer} goes ${row}, and there the page ends.`,
  (writer, row) => `This much of the row of ${writer} can still be read: ${row}.`,
];

/**
 * A row somewhere in the text, whose next three terms are asked for. It must be continued as a whole, so it is compared as a whole: terms by themselves could be had by
 * saying the row again.
 */
export const patterns = madeTasks({
  name: 'patterns',
  version: '1',
  variants: Object.keys(ROWS),
  leastWords: 150,
  *steps(random, variant, words) {
    const draws = branches(random);
    const own = draws('row');
    const row = ROWS[variant as keyof typeof ROWS](own);
    const writer = madePerson(own);
    const text = own.pick(SAYS)(writer, row.slice(0, SHOWN).join(', '));
    const at = (0.1 + 0.8 * aShare(draws('place'))) * words;
    const { context, depths } = yield* passage(draws('filler'), words, [{ text, at }]);
    const next = row.slice(SHOWN);
    const question = `The text has a row by ${writer} that breaks off. Which three terms come next in it?`;
    return [
      {
        ...{ dataset: 'patterns', variant, context },
        prompt: asked(context, question, 'these three, with commas between them,'),
        expected: [next.join(', '), next.join(',')],
        metric: 'exact-match',
        answerTokens: 48,
        depth: depths[0],
      },
    ];
  },
});

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return number > 1;
}
