import { type ContextTask, madeTasks } from '../context-task.ts';
import { asked } from './text/asked.ts';
import { aShare, branches, distinct } from './text/branches.ts';
import { madeName } from './text/made-words.ts';
import { passage } from './text/passage.ts';

const SAYS: readonly ((name: string) => string)[] = [
  (name) => `Here the road to ${name} turns off.`,
  (name) => `A sign says that ${name} lies to the left of here.`,
  (name) => `At this place, a path leads off to ${name}.`,
  (name) => `This is where one turns off to ${name}.`,
];

/** One place in each fifth of the text. */
const QUESTIONS = 5;

/**
 * Names that stand in a text once each; asked is where. No answer is in the text, and whoever always says «in the middle» is right about one in five: so these are for
 * measuring, and not for what is to be earned.
 */
export const places = madeTasks({
  name: 'places',
  version: '1',
  variants: [''],
  leastWords: 200,
  *steps(random, variant, words) {
    const draws = branches(random);
    const own = draws('names');
    const names = distinct(QUESTIONS, () => madeName(own));
    const where = draws('places');
    const insertions = names.map((name, fifth) => ({
      text: own.pick(SAYS)(name),
      at: ((fifth + aShare(where)) / QUESTIONS) * words,
    }));
    const { context, depths } = yield* passage(draws('filler'), words, insertions);
    return names.map((name, at): ContextTask => {
      const depth = depths[at] ?? 0;
      const question = `How far into the text does the name ${name} stand? The beginning of the text is 0 percent, its end 100 percent.`;
      return {
        ...{ dataset: 'places', variant, context },
        prompt: asked(context, question, 'the number of percent, in digits,'),
        expected: [(100 * depth).toFixed(1)],
        metric: 'position',
        answerTokens: 16,
        depth,
      };
    });
  },
});
