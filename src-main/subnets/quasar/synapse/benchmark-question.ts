import type { z } from 'zod';
import type { LongText } from '../../../validation/environment.ts';
import { roughTokens } from '../asking/long-context.ts';
import type { BENCHMARK_QUESTION, Difficulty } from './benchmark-evaluation.ts';

/** What is found in a text as it stands there; all else has to be put together. */
const NEEDLES = ['needle', 'needles', 'scaling'];

/** What QUASAR has a miner look at, unless something else is said. */
const METRICS = {
  needle_haystack: ['exact_match', 'retrieval_precision', 'retrieval_recall'],
  synthetic: ['accuracy', 'coherence'],
} as const;

/** A challenge as an axon of QUASAR’s subnet is asked it: neither the seed nor the right answer is in it. */
export function benchmarkQuestion(
  { id, dataset, context, question }: LongText & { id: string },
  maxTokens: number,
): z.output<typeof BENCHMARK_QUESTION.fields> {
  const type = NEEDLES.includes(dataset) ? 'needle_haystack' : 'synthetic';
  const tokens = roughTokens(context);
  return {
    ...{ task_id: id, task_type: type, dataset_name: dataset, context, prompt: question },
    ...{ max_tokens: maxTokens, difficulty_level: difficultyOf(tokens) },
    ...{ evaluation_metrics: METRICS[type], context_length: tokens },
  };
}

function difficultyOf(tokens: number): Difficulty {
  if (tokens > 64_000) return 'extreme';
  if (tokens > 32_000) return 'hard';
  return tokens > 16_000 ? 'medium' : 'easy';
}
