import { z } from 'zod';
import { boundedArray } from '../../../../../src-preload/contract/bounded.ts';
import { say, type Words } from '../../../../../src-preload/contract/saying.ts';
import { LONGBENCH_SETS, type LongBenchName, type LongBenchSet } from './longbench-sets.ts';
import type { RowFormat } from './row-index.ts';
import { MOST_CONTEXT, maybe, publishedText, publishedWords, rowName } from './row-texts.ts';

/** Of what is asked: some data sets ask about a passage besides. */
const MOST_INPUT = 500_000;
const MOST_ANSWERS = 100;
const MOST_ANSWER = 50_000;
/** LongBench's fullest has 50. */
const MOST_CLASSES = 500;

const row = z.object({
  _id: rowName,
  input: publishedText(MOST_INPUT),
  context: publishedWords(MOST_CONTEXT),
  answers: boundedArray(publishedWords(MOST_ANSWER), MOST_ANSWERS, 1),
  all_classes: maybe(boundedArray(publishedWords(500), MOST_CLASSES)),
  dataset: maybe(publishedText(100)),
});
export type LongBenchRow = z.output<typeof row>;

/** The rows of one data set of LongBench. */
export const longBenchRows = (name: LongBenchName): RowFormat<LongBenchRow> => ({
  layout: 'lines',
  row,
  id: ({ _id: id }) => id,
  fault: (given) => faultOf(name, given),
});

function faultOf(name: LongBenchName, { dataset = name, all_classes: classes = [], answers }: LongBenchRow) {
  const set: LongBenchSet = LONGBENCH_SETS[name];
  const fieldFault = (field: string, why: Words) => say('datasets.fieldFault', { field, why });
  if (dataset !== name) return fieldFault('dataset', say('contextFiles.otherSet', { name }));
  if (set.metric === 'classification' && classes.length === 0) return fieldFault('all_classes', say('value.missing'));
  if (!answers.every((answer) => set.answer?.test(answer) ?? true)) return fieldFault('answers', say('value.form'));
  return undefined;
}
