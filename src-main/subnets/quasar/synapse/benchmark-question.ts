import type { z } from 'zod';
import type { LongText } from '../../../validation/environment.ts';
import { roughTokens } from '../asking/long-context.ts';
import type { BENCHMARK_QUESTION, Difficulty } from './benchmark-evaluation.ts';

/** What is found in a text as it stands there; of what else is made, all has to be put together. */
const NEEDLES = ['needle', 'needles', 'scaling'];

/** What QUASAR has a miner look at, where it is asked out of no data set. */
const METRICS = {
  needle_haystack: ['exact_match', 'retrieval_precision', 'retrieval_recall'],
  synthetic: ['accuracy', 'coherence'],
} as const;

/** A question to an axon of QUASAR’s subnet. */
export interface BenchmarkAsked extends LongText {
  id: string;
  /** The data sets that it is asked out of. Default: none, it was made. */
  published?: 'longbench' | 'hotpotqa' | 'govreport' | undefined;
}

/** A challenge as an axon of QUASAR’s subnet is asked it: neither the seed nor the right answer is in it. */
export function benchmarkQuestion(
  { id, dataset, context, question, published }: BenchmarkAsked,
  maxTokens: number,
): z.output<typeof BENCHMARK_QUESTION.fields> {
  const made = NEEDLES.includes(dataset) ? 'needle_haystack' : 'synthetic';
  const tokens = roughTokens(context);
  return {
    ...{ task_id: id, task_type: published ?? made, dataset_name: dataset, context, prompt: question },
    ...{ max_tokens: maxTokens, difficulty_level: difficultyOf(tokens), context_length: tokens },
    ...(!published && { evaluation_metrics: METRICS[made] }),
  };
}

function difficultyOf(tokens: number): Difficulty {
  if (tokens > 64_000) return 'extreme';
  if (tokens > 32_000) return 'hard';
  return tokens > 16_000 ? 'medium' : 'easy';
}
