import type { MetricName } from '../../metrics/metrics.ts';

/** One data set of LongBench: how answers to it are read and compared. */
export interface LongBenchSet {
  metric: MetricName;
  /** Most tokens of an answer, where no file says otherwise. */
  answerTokens: number;
  /** Only an answer's first line counts: models go on with the next example. */
  firstLine?: true;
  /** What a right answer looks like. */
  answer?: RegExp;
}

const question = (answerTokens: number): LongBenchSet => ({ metric: 'f1', answerTokens });
const summary: LongBenchSet = { metric: 'rouge-l', answerTokens: 512 };
const code: LongBenchSet = { metric: 'code-similarity', answerTokens: 64 };

/** All 21, by the names of their files. */
export const LONGBENCH_SETS = {
  narrativeqa: question(128),
  qasper: question(128),
  multifieldqa_en: question(64),
  multifieldqa_zh: { metric: 'f1-zh', answerTokens: 64 },
  hotpotqa: question(32),
  '2wikimqa': question(32),
  musique: question(32),
  dureader: { metric: 'rouge-l-zh', answerTokens: 128 },
  gov_report: summary,
  qmsum: summary,
  multi_news: summary,
  vcsum: { metric: 'rouge-l-zh', answerTokens: 512 },
  trec: { metric: 'classification', answerTokens: 64, firstLine: true },
  triviaqa: { ...question(32), firstLine: true },
  samsum: { metric: 'rouge-l', answerTokens: 128, firstLine: true },
  lsht: { metric: 'classification', answerTokens: 64, firstLine: true },
  passage_count: { metric: 'count', answerTokens: 32, answer: /^\d+$/ },
  passage_retrieval_en: { metric: 'retrieval', answerTokens: 32, answer: /Paragraph \d+/ },
  passage_retrieval_zh: { metric: 'retrieval-zh', answerTokens: 32, answer: /段落\d+/ },
  lcc: code,
  'repobench-p': code,
} as const satisfies Record<string, LongBenchSet>;

export type LongBenchName = keyof typeof LONGBENCH_SETS;
export const LONGBENCH_NAMES = Object.keys(LONGBENCH_SETS) as LongBenchName[];
