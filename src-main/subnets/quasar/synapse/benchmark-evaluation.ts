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
const ANY = z.unknown().optional();

/**
 * Fields as QUASAR has them. What it has besides is left out on purpose: `expected_output` and `benchmark_seed`, by which a miner would have the answer; and some thirty
 * scores, speeds and memory figures that a miner says of itself, which nobody here reads.
 */
const ASKED = {
  task_id: name,
  task_type: z.enum(TASK_TYPES),
  dataset_name: name,
  max_tokens: z.int().min(1).max(MAX_ANSWER_TOKENS).default(200),
  difficulty_level: z.enum(DIFFICULTIES).default('medium'),
  evaluation_metrics: z.array(name).max(MOST_METRICS).nullish(),
  /** About: words × 1.3. */
  context_length: z.int().min(0).nullish(),
};

/** A question about a long text as an axon takes it. Some validators of QUASAR send context and question as fields that may be missing, and so without headers for them. */
export const BENCHMARK_EVALUATION = defineSynapse({
  name: NAME,
  fields: {
    ...ASKED,
    ...{ context: textSchema.nullish(), prompt: textSchema.nullish() },
    response: z.string().nullish(),
    /** Seconds, as the miner says. */
    processing_time: z.number().nullish(),
  },
});

/**
 * The same as it is asked, with headers for context and question, since some miners want them. Of what comes back the answer alone is read: a miner that repeats the question
 * in a way of its own has answered it all the same.
 */
export const BENCHMARK_QUESTION = defineSynapse({
  name: NAME,
  fields: {
    ...{ task_id: z.string(), task_type: z.string(), dataset_name: z.string() },
    ...{ context: z.string(), prompt: z.string() },
    ...{ max_tokens: ANY, difficulty_level: ANY, evaluation_metrics: ANY, context_length: ANY },
    response: z.string().nullish(),
  },
});
