import { z } from 'zod';
import { OBJECTIVES } from '../../../../src-preload/contract/learning-runs.ts';

export const METRICS = ['logprob', 'compliance', 'general', 'collapse'] as const;
export type Metric = (typeof METRICS)[number];

/** How an evaluation is run; defaults are the original's (B6) but for those that say otherwise. */
export const evalConfig = z.strictObject({
  metrics: z
    .array(z.enum(METRICS))
    .min(1)
    .default([...METRICS]),
  /** How it learns. The original: `sdpo`. */
  objective: z.enum(OBJECTIVES).default('distillation'),
  steps: z.int().min(1).max(1_000).default(20),
  batchSize: z.int().min(1).max(16).default(4),
  stepsPerBatch: z.int().min(1).max(64).default(4),
  /**
   * What a step learns from. `run`: what one of a run of this node does, two of the batch's answers and two anchors, which keep what the model knows. `whole`: all of
   * the batch's answers and nothing else, as the original.
   */
  batches: z.enum(['run', 'whole']).default('run'),
  feedbackRepetitions: z.int().min(1).max(20).default(1),
  /** At which steps collapse is measured. Default: 0, the last, and three between. */
  collapseSteps: z.array(z.int().min(0).max(999)).max(1_000).optional(),
  /** Of the samples; the original declares one and does not use it. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(42),
  /** Name of the adapter is `<prefix>/<preference>`. */
  loraIdPrefix: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,63}$/)
    .default('eval'),
  /** Most tokens of an answer that is taught with. The original: 2,048. */
  answerTokens: z.int().min(8).max(4_096).default(128),
  /** Held-out questions at each step; at the end all up to 20. The original: 3, of those it has taught with. */
  heldOut: z.int().min(1).max(20).default(6),
  plots: z.boolean().default(true),
});
export type EvalConfig = z.infer<typeof evalConfig>;

/** B6: 0, 5, 10, 15, 19 of 20. */
export function collapseStepsOf({
  collapseSteps,
  steps,
}: Pick<EvalConfig, 'collapseSteps' | 'steps'>): ReadonlySet<number> {
  return new Set(collapseSteps ?? [0, 0.25, 0.5, 0.75].map((part) => Math.floor(part * steps)).concat(steps - 1));
}
