import { atOnce, type Steps } from '../../../base/steps.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';
import type { MetricName } from '../metrics/metrics.ts';

/** A long text, a question about it, and what a right answer says. */
export interface ContextTask {
  /** What it is one of, as tables name it: `needle`, `narrativeqa`. */
  dataset: string;
  /** Which variant of it: `number, middle`. Empty where there is but one. */
  variant: string;
  /** Same for tasks that may share one prefill: their messages begin alike, with it. */
  context: string;
  /** All that is asked, context and question, as a template of the data set puts them. It begins with what tasks of the same context have in common. */
  prompt: string;
  /** Right answers: the best of them counts. Never told to whoever is asked before the round is over. */
  expected: readonly string[];
  metric: MetricName;
  /** Where an answer names one of a few: all of them. */
  classes?: readonly string[];
  /** Only what an answer's first line says counts. */
  firstLine?: boolean;
  /** Most tokens of an answer. */
  answerTokens: number;
  /** Where what is asked for stands, as a share of the context's characters, 0–1; of several the first. Absent: nowhere in particular. */
  depth?: number;
  /** Where it comes from, if it was not made. */
  source?: TaskSource;
}

/** What whoever is asked may know of a task. */
export type AskedTask = Pick<ContextTask, 'dataset' | 'context' | 'prompt' | 'source'>;

/** What is asked about a text, for those who are given it apart from the text: of a data set, also what its template has before it. */
export function questionBeside({ prompt, context, source }: Omit<AskedTask, 'dataset'>): string {
  const below = questionBelow({ prompt, context });
  if (source === undefined) return below;
  return [prompt.slice(0, prompt.indexOf(context)).trim(), below].filter(Boolean).join('\n\n');
}

/** What stands below the text in a prompt. */
export function questionBelow({ prompt, context }: Pick<ContextTask, 'prompt' | 'context'>): string {
  return prompt.slice(prompt.indexOf(context) + context.length).trim();
}

/** The row of a file that a task was made of: with the seed enough to make it again, from the same file. */
export interface TaskSource {
  /** Another one wherever the same seed would pose something else: by other files, other templates, other rules of ours. */
  version: string;
  /** Its name, and the SHA-256 of all of it. */
  file: string;
  sha256: string;
  /** The row’s own name; its number where it has none. */
  row: string;
  /** Whether its texts are those that come with Quarry, and not the published ones. */
  own: boolean;
  /** Whose words ask: those that the data set prescribes, or Quarry’s own. Scores of the two are not to be compared. */
  templates: 'official' | 'own';
}

/** One kind of task that can be made as long as is wanted: all of it comes out of what is drawn, byte for byte, and how many words it is to have. */
export interface MadeTasks {
  readonly name: string;
  /** Whatever changes what is posed changes it. */
  readonly version: string;
  /** As {@link ContextTask.variant} says; at least one. */
  readonly variants: readonly string[];
  /**
   * More words make a longer text that goes on from the same draws. Tasks of one call share their context.
   * @param words of the context, about; at least {@link leastWords}
   */
  make(random: SeededRandom, variant: string, words: number): readonly ContextTask[];
  /** The same step by step: a million words take hundreds of milliseconds. */
  steps(random: SeededRandom, variant: string, words: number): Steps<readonly ContextTask[]>;
  readonly leastWords: number;
}

/** A kind that is made step by step, and so also at once. */
export const madeTasks = (kind: Omit<MadeTasks, 'make'>): MadeTasks => ({
  ...kind,
  make: (...how) => atOnce(kind.steps(...how)),
});

/** Counts tokens as the model that is asked does. @throws what its engine throws */
export type CountTokens = (text: string) => Promise<number>;
