import { z } from 'zod';
import { MAX_ANSWER_TOKENS } from '../../../../src-preload/contract/limits.ts';
import { textSchema } from '../../../../src-preload/contract/request.ts';
import { defineSynapse } from '../../../bittensor/synapse/synapse.ts';

const TASK_TYPES = ['longbench', 'hotpotqa', 'govreport', 'needle_haystack', 'synthetic'] as const;
const DIFFICULTIES = ['easy', 'medium', 'hard', 'extreme'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

const MOST_NAME = 128;
const MOST_METRICS = 16;
const name = z.string().min(1).max(MOST_NAME);
const NAME = 'BenchmarkEvaluationSynapse';

/**
 * Fields as QUASAR has them. What it has besides is left out on purpose: `expected_output` and `benchmark_seed`, by which a miner would have the answer; and some thirty
 * scores, speeds and memory figures that a miner says of itself, which nobody here reads.
 */
const asked = {
  task_id: name,
  task_type: z.enum(TASK_TYPES),
  dataset_name: name,
  max_tokens: z.int().min(1).max(MAX_ANSWER_TOKENS).default(200),
  difficulty_level: z.enum(DIFFICULTIES).default('medium'),
  evaluation_metrics: z.array(name).max(MOST_METRICS).nullish(),
  /** About: words × 1.3. */
  context_length: z.int().min(0).nullish(),
};
const answered = {
  response: z.string().nullish(),
  /** Seconds, as the miner says. */
  processing_time: z.number().nullish(),
};

/** A question about a long text as an axon takes it. Some validators of QUASAR send context and question as fields that may be missing, and so without headers for them. */
export const BENCHMARK_EVALUATION = defineSynapse({
  name: NAME,
  fields: { ...asked, context: textSchema.nullish(), prompt: textSchema.nullish(), ...answered },
});

/** The same as it is asked: with what miners want who take no field as missing. */
export const BENCHMARK_QUESTION = defineSynapse({
  name: NAME,
  fields: { ...asked, context: textSchema, prompt: textSchema, ...answered },
});
