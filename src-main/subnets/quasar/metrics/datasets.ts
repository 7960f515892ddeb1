import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { type MetricName, scoreBy } from './metrics.ts';

interface DatasetRules {
  metric: MetricName;
  /** Of an answer only the first line counts. */
  firstLine?: boolean;
}

/** By what each data set is scored (QUASAR, metrics by data set; LongBench, what counts of an answer). */
export const DATASETS: Readonly<Record<string, DatasetRules>> = {
  narrativeqa: { metric: 'f1' },
  qasper: { metric: 'f1' },
  multifieldqa_en: { metric: 'f1' },
  multifieldqa_zh: { metric: 'f1-zh' },
  hotpotqa: { metric: 'f1' },
  '2wikimqa': { metric: 'f1' },
  musique: { metric: 'f1' },
  dureader: { metric: 'rouge-l-zh' },
  gov_report: { metric: 'rouge-l' },
  qmsum: { metric: 'rouge-l' },
  multi_news: { metric: 'rouge-l' },
  vcsum: { metric: 'rouge-l-zh' },
  trec: { metric: 'classification', firstLine: true },
  triviaqa: { metric: 'f1', firstLine: true },
  samsum: { metric: 'rouge-l', firstLine: true },
  lsht: { metric: 'classification', firstLine: true },
  passage_retrieval_en: { metric: 'retrieval' },
  passage_retrieval_zh: { metric: 'retrieval-zh' },
  passage_count: { metric: 'count' },
  lcc: { metric: 'code-similarity' },
  'repobench-p': { metric: 'code-similarity' },
  openai_mrcr_code: { metric: 'mrcr' },
};

/**
 * How a data set is scored.
 * @throws QuarryError BAD_REQUEST, with those there are: to score an unknown one by the usual metric would give numbers that mean nothing
 */
export function rulesOf(dataset: string): DatasetRules {
  const rules = Object.hasOwn(DATASETS, dataset) ? DATASETS[dataset] : undefined;
  if (rules) return rules;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('quasar.noDataset', { name: dataset }),
    hint: say('quasar.datasets', { names: Object.keys(DATASETS) }),
    field: 'dataset',
  });
}

/**
 * What an answer to a question of a data set is worth, 0 to 1.
 * @throws QuarryError BAD_REQUEST for an unknown data set, and where classes are needed and missing
 */
export function scoreOf(
  dataset: string,
  answer: string,
  references: readonly string[],
  classes?: readonly string[],
): number {
  const { metric, firstLine } = rulesOf(dataset);
  return scoreBy(metric, answer, references, { classes, firstLine });
}
