import { inSlices, type Steps } from '../../../base/steps.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { BANDS, type BandName, CHARS_PER_TOKEN } from './bands.ts';
import { contextText, questionText } from './prompt.ts';
import { Names } from './text/names.ts';
import type { Asked, CodeBase, Files, Project } from './topics/code-base.ts';
import { TOPICS } from './topics/topics.ts';

/** A program is run for it. */
export interface CodeCase extends Asked {
  files: Files;
}

/** A program that is wanted, and what it is tried with. */
export interface CodeTask {
  topic: string;
  band: BandName;
  /** The function that is called. */
  entry: string;
  context: string;
  question: string;
  /** The first is about the code base that is shown; the validator alone knows of the others. */
  cases: readonly CodeCase[];
}

/** What is asked besides is much shorter than a code base. */
const QUESTION_TOKENS = 700;
/** An answer that another case has already is asked for anew so often: a constant is not to be right twice. */
const TRIES = 60;

/** What a seed stands for, made in turns with whoever else wants the processor. */
export const drawTask = (random: SeededRandom, band: BandName): Promise<CodeTask> => inSlices(taskSteps(random, band));

function* taskSteps(random: SeededRandom, band: BandName): Steps<CodeTask> {
  const { tokens, cases } = BANDS[band];
  const topic = random.pick(TOPICS);
  const project = topic.draw(random);
  const entry = new Names(random).function();
  const chars = (random.between(tokens[0], tokens[1]) - QUESTION_TOKENS) * CHARS_PER_TOKEN;
  const made: CodeCase[] = [];
  for (let at = 0; at < cases; at++) made.push(yield* caseSteps(random, { project, chars, made }));
  const [shown] = made as [CodeCase, ...CodeCase[]];
  const example = shown.parameters;
  return {
    ...{ topic: topic.name, band, entry, cases: made },
    context: yield* contextText(shown.files),
    question: questionText({ entry, project, example, band }),
  };
}

function* caseSteps(
  random: SeededRandom,
  { project, chars, made }: { project: Project; chars: number; made: readonly CodeCase[] },
): Steps<CodeCase> {
  const codeBase: CodeBase = yield* project.make(random, chars);
  const before = new Set(made.map(({ expected }) => JSON.stringify(expected)));
  let asked = codeBase.ask(random);
  for (let tries = 1; tries < TRIES && (before.has(JSON.stringify(asked.expected)) || isEmpty(asked)); tries++) {
    yield;
    asked = codeBase.ask(random);
  }
  return { files: codeBase.files, ...asked };
}

/** Nothing was found in any place. */
function isEmpty({ expected }: Asked): boolean {
  if (typeof expected !== 'object' || expected === null) return false;
  return Object.values(expected).every((found) => found === null || (Array.isArray(found) && found.length === 0));
}
