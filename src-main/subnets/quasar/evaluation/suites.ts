import { join } from 'node:path';
import { inSlices } from '../../../base/steps.ts';
import type { ContextTask, MadeTasks } from '../tasks/context-task.ts';
import { fitted } from '../tasks/made/fit-length.ts';
import { MADE_TASKS } from '../tasks/made/made-tasks.ts';
import { checkThere } from '../tasks/published/published-files.ts';
import type { OpenedTasks } from '../tasks/published/published-set.ts';
import { PUBLISHED_TASKS, publishedCalled } from '../tasks/published/published-tasks.ts';
import { askedTwice } from './asked-twice.ts';
import { drawsAgain, drawsOf, type EvaluationPlan, type PlannedText } from './plan.ts';
import type { PosedText, Suite } from './suite.ts';

/** A kind of questions that there may be: what is known of it before its files are. */
export interface KnownSuite extends Pick<Suite, 'name' | 'variants'> {
  /** Null where it is that of the files. */
  version: string | null;
  /** Whether it is asked without any file. */
  isMade: boolean;
}

const MADE: ReadonlyMap<string, Suite> = new Map(MADE_TASKS.map((tasks) => [tasks.name, madeSuite(tasks)]));

/** All there are, by name: those that are made, and those that are asked out of files. */
export const SUITES: ReadonlyMap<string, KnownSuite> = new Map(
  [
    ...[...MADE.values()].map((suite) => ({ ...suite, isMade: true })),
    ...[...PUBLISHED_TASKS.values()].map(({ name, variants }) => ({ name, version: null, variants, isMade: false })),
  ].map((suite) => [suite.name, suite]),
);

/** What names stand for: `longbench` for all that it has, unless a suite is called so. One that nobody knows stays as it is. */
export function suitesCalled(names: readonly string[]): string[] {
  const called = names.flatMap((name) => {
    const published = publishedCalled(name).map((one) => one.name);
    return published.length > 0 ? published : [name];
  });
  return [...new Set(called)];
}

/** Looks whether the files of suites are there. @throws BAD_REQUEST for the first that is missing */
export async function checkPublished(names: readonly string[], folder: string): Promise<void> {
  for (const name of names) {
    for (const file of PUBLISHED_TASKS.get(name)?.files ?? []) await checkThere(join(folder, file));
  }
}

/**
 * The suites of these names; files are looked through once.
 * @param names of {@link SUITES} @param folder where the files are, absolute
 * @throws BAD_REQUEST where a file is missing or of no use; the signal's reason
 */
export async function openSuites(
  names: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Suite>> {
  const suites = new Map<string, Suite>();
  for (const name of names) {
    const published = PUBLISHED_TASKS.get(name);
    const suite = published
      ? publishedSuite(name, published.variants, await published.open(folder, signal))
      : MADE.get(name);
    if (suite) suites.set(name, suite);
  }
  return suites;
}

/** The questions about a text that was made of so many words, once more; none where it is of no suite that makes its texts. */
export async function tasksAgain(
  plan: Pick<EvaluationPlan, 'seed' | 'twice'>,
  text: PlannedText,
  words: number,
): Promise<readonly ContextTask[]> {
  const tasks = MADE_TASKS.find(({ name }) => name === text.suite);
  if (!tasks) return [];
  const made = await inSlices(tasks.steps(drawsOf(plan, text, tasks.version), text.variant, words));
  return plan.twice ? askedTwice(made, drawsAgain(plan, text)) : made;
}

/** Texts are made as long as is wanted: the longest of their prompts is. */
function madeSuite({ name, version, variants, leastWords, steps }: MadeTasks): Suite {
  return {
    ...{ name, version, variants },
    async pose(draws, variant, wanted): Promise<PosedText> {
      let tasks: readonly ContextTask[] = [];
      const make = async (words: number) => {
        tasks = await inSlices(steps(draws(), variant, words), wanted.signal);
        return tasks.reduce((most, { prompt }) => longer(most, prompt), '');
      };
      const { words } = await fitted({ ...wanted, make, leastWords }); // what was made last is what fits
      return { tasks, words };
    },
  };
}

const longer = (one: string, other: string) => (other.length > one.length ? other : one);

/** Rows are shortened to what is wanted; a variant of a data set that draws it by itself is the empty one. */
function publishedSuite(name: string, variants: readonly string[], tasks: OpenedTasks): Suite {
  return {
    ...{ name, version: tasks.source.version, variants },
    async pose(draws, variant, { tokens, count }): Promise<PosedText> {
      const task = await tasks.task(draws(), { ...(variant !== '' && { variant }), tokens, count });
      return { tasks: [task], words: null };
    },
  };
}
