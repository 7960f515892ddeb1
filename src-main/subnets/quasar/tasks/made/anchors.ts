import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { type ContextTask, madeTasks } from '../context-task.ts';
import { asked } from './text/asked.ts';
import { aShare, branches } from './text/branches.ts';
import { madeName, sixDigits } from './text/made-words.ts';
import { passage } from './text/passage.ts';

const SAYS: readonly ((name: string, code: string) => string)[] = [
  (name, code) => `Marker ${name} bears the code ${code}.`,
  (name, code) => `Here stands the marker ${name}; ${code} is its code.`,
  (name, code) => `The code ${code} goes with the marker ${name}.`,
  (name, code) => `On the marker ${name}, one reads ${code}.`,
  (name, code) => `This is the place of the marker ${name}, with the code ${code}.`,
  (name, code) => `The marker called ${name} is numbered ${code}.`,
];

/** Words from one anchor to the next. */
const SPACING = 200;
/** So many are asked for, one from each fifth of the text. */
const QUESTIONS = 5;

/**
 * A text with an anchor at about every two-hundredth word, in short ones at every sixth of it: each has a name and a code. Some of them are asked for, by their
 * names. Any of the other codes would be as good a guess.
 */
export const anchors = madeTasks({
  name: 'anchors',
  version: '1',
  variants: [''],
  leastWords: 200,
  *steps(random, variant, words) {
    const draws = branches(random);
    const spacing = Math.min(SPACING, words / (QUESTIONS + 1));
    const all = anchorsOf(draws('anchors'), Math.round(words / spacing) - 1);
    const insertions = all.map(({ name, code, say }, at) => ({ text: say(name, code), at: spacing * (at + 1) }));
    const { context, depths } = yield* passage(draws('filler'), words, insertions);
    const places = draws('places');
    return Array.from({ length: QUESTIONS }, (_, fifth): ContextTask => {
      const which = Math.floor(((fifth + aShare(places)) / QUESTIONS) * all.length);
      const { name = '', code = '' } = all[which] ?? {};
      return {
        ...{ dataset: 'anchors', variant, context },
        prompt: asked(context, `Which code belongs to the marker ${name}?`, 'the code, in digits'),
        expected: [code],
        metric: 'count', // as for needles that are numbers
        answerTokens: 32,
        depth: depths[which],
      };
    });
  },
});

/** So many, no name and no code twice. */
function anchorsOf(random: SeededRandom, count: number) {
  const taken = new Set<string>();
  const fresh = (draw: (random: SeededRandom) => string) => {
    let drawn = draw(random);
    while (taken.has(drawn)) drawn = draw(random);
    taken.add(drawn);
    return drawn;
  };
  return Array.from({ length: count }, () => ({
    ...{ name: fresh(madeName), code: fresh(sixDigits), say: random.pick(SAYS) },
  }));
}
