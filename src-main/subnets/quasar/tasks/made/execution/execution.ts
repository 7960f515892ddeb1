import type { SeededRandom } from '../../../../../validation/seeded-random.ts';
import { madeTasks } from '../../context-task.ts';
import { asked } from '../text/asked.ts';
import { aShare, branches } from '../text/branches.ts';
import { passage } from '../text/passage.ts';
import { type Form, formsFor } from './forms.ts';
import { CONDITIONS } from './lexicon.ts';
import { drawSystems, type System, systemsInWords } from './systems.ts';
import { paragraph, type Table } from './wording.ts';

/** All that such a task knows before it is put into words. */
export interface Execution {
  systems: readonly System[];
  /** Which of them is asked for. */
  target: System;
  /** What each condition has. */
  values: Readonly<Record<Table, readonly number[]>>;
  /** How that is told. */
  forms: Readonly<Record<Table, readonly Form[]>>;
}

/** Draws one: forty conditions with a factor from 2 to 20 and a supplement from 1 to 50 each, eight systems, one of them asked for. */
export function drawExecution(random: SeededRandom): Execution {
  const systems = drawSystems(random);
  const target = systems.at(-1) as System;
  const asked = target.latest.condition;
  const drawn = (least: number, most: number) => Array.from({ length: CONDITIONS }, () => random.between(least, most));
  const values = { factor: drawn(2, 20), supplement: drawn(1, 50) };
  const sightings = new Map(
    systems.filter((each) => each !== target).map(({ latest, alias }) => [latest.condition, alias]),
  );
  const forms = {
    factor: formsFor(random, values.factor, asked, sightings),
    supplement: formsFor(random, values.supplement, asked, sightings),
  };
  return { systems, target, values, forms };
}

/** What is to be reckoned out: x·a + b. */
export function resultOf({ target: { latest, reads }, values }: Execution): number {
  const [a, b] = [values.factor[latest.condition] ?? 0, values.supplement[latest.condition] ?? 0];
  return latest[reads] * a + b;
}

/** What is said of it, as paragraphs in no order. */
export function inParagraphs(random: SeededRandom, { systems, forms }: Execution): string[] {
  const books = (['factor', 'supplement'] as const).flatMap((table) =>
    someAtATime(random, forms[table]).map((some) => paragraph(random, table, some)),
  );
  const all = [...books, ...systemsInWords(random, systems)];
  return random.sample(all, all.length);
}

/** Shuffled: what refers to another form may come long before it. Two or three make a paragraph. */
function someAtATime(random: SeededRandom, forms: readonly Form[]): Form[][] {
  const left = random.sample(forms, forms.length);
  const parts: Form[][] = [];
  while (left.length > 0) parts.push(left.splice(0, random.between(2, 3)));
  return parts;
}

const questionOf = (name: string) =>
  `A machine’s result is reckoned from its latest report in this way: the function that serves the machine today says which dial is read; the reading is multiplied by the factor for the condition that the machine is in, and the supplement for that condition is added. What is the result of ${name}?`;

/**
 * Look up a name, a function, its signature and two tables, then reckon: x·a + b. Everything is told in sentences that have to be read, some of them by way of others:
 * scripts/quasar-execution-solver.ts is what patterns can do, which is about one task of twenty-five.
 */
export const execution = madeTasks({
  name: 'execution',
  version: '1',
  variants: [''],
  leastWords: 3_200,
  *steps(random, variant, words) {
    const draws = branches(random);
    const drawn = drawExecution(draws('execution'));
    const paragraphs = inParagraphs(draws('wording'), drawn);
    const places = draws('places');
    const insertions = paragraphs.map((text) => ({ text, at: aShare(places) * words }));
    const { context } = yield* passage(draws('filler'), words, insertions);
    return [
      {
        ...{ dataset: 'execution', variant, context },
        prompt: asked(context, questionOf(drawn.target.name), 'the number, in digits'),
        expected: [String(resultOf(drawn))],
        metric: 'count', // as for needles that are numbers: whoever writes out the sum has the result as one number of several
        answerTokens: 32,
      },
    ];
  },
});
