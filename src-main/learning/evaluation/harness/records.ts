import { z } from 'zod';

/** Names as the original writes them into its files (B6); what we measure beside it has names in the same manner. */

const marginRecord = z.object({
  positive_logprob: z.number().optional(),
  negative_logprob: z.number().optional(),
  margin: z.number(),
  margin_delta_from_baseline: z.number(),
  /** Ours: nats a token. */
  margin_per_token: z.number(),
});

const generalRecord = z.object({
  general_score: z.number(),
  ifeval_pass_rate: z.number(),
  coding_correct: z.boolean().nullable(),
  /** Ours: of the facts, how many are right, 0–1. */
  facts: z.number(),
});

const collapseRecord = z.object({
  mean_entropy: z.number(),
  entropy_ratio_to_baseline: z.number(),
  self_rouge_l: z.number(),
  mean_logprob: z.number(),
  mean_logprob_drift: z.number(),
  alert: z.boolean(),
});

export const evalRecord = z.object({
  logprob_margin: marginRecord.nullable(),
  preference_compliance: z.number().nullable(),
  general: generalRecord.nullable(),
  collapse: collapseRecord.nullable(),
});
export type EvalRecord = z.infer<typeof evalRecord>;

const figure = z.number().nullable();
/** What a step of learning says of itself; `sdpo_metrics` at the original, whatever the objective is. */
export const learnRecord = z.object({
  distill_loss: figure,
  kl_reg: figure,
  mean_is_ratio: figure,
  clip_fraction: figure,
  grad_norm: figure.optional(),
  /** Ours: answers that were learnt from. */
  samples: z.int().optional(),
  /** Ours: answers to stay as they are, beside them. */
  anchors: z.int().optional(),
});
export type LearnRecord = z.infer<typeof learnRecord>;

export const stepRecord = z.object({
  preference: z.string(),
  step: z.int().min(0),
  timestamp: z.string(),
  feedback_given: z.string(),
  sdpo_metrics: learnRecord.nullable(),
  eval: evalRecord,
  prompt_used: z.string(),
  response_text: z.string().nullable(),
  timing_s: z.number(),
});
export type StepRecord = z.infer<typeof stepRecord>;

const checkRecord = z.object({ name: z.string(), passes: z.boolean(), why: z.string() });

export const summaryRecord = z.object({
  preference: z.string(),
  lora_id: z.string(),
  logprob_margin_delta: z.number().nullable(),
  /** Ours: nats a token. */
  logprob_margin_per_token_delta: z.number().nullable(),
  final_compliance: z.number().nullable(),
  /** 1 where there was nothing to lose, as the original has it: then `capability_before` is 0. */
  capability_ratio: z.number().nullable(),
  /** Ours: of the tasks, how many it could do before, 0–1; absent in results of older versions. */
  capability_before: z.number().nullable().optional(),
  /** Ours: whether it is kept, by the gate in full. */
  accepted: z.boolean(),
  reason: z.string(),
  checks: z.array(checkRecord),
  held_out_before: z.number(),
  held_out_after: z.number(),
  steps: z.int(),
});
export type SummaryRecord = z.infer<typeof summaryRecord>;

const share = z.number().min(0).max(1);

/** What the gate measured before anything was learnt: a run that goes on does not measure it anew. */
export const measuredRecord = z.object({
  passes: z.array(z.boolean()),
  capability: z.record(z.string(), share),
  answers: z.object({
    sentences: z.number(),
    words: z.number(),
    empty: share,
    ended: share,
    circling: share,
    plausibility: z.number().optional(),
  }),
  /** Of each of the preference's pairs: nats. */
  margins: z.array(z.object({ sum: z.number(), perToken: z.number() })).optional(),
  collapse: z
    .object({
      entropy: z.number(),
      selfRouge: z.number(),
      meanLogprob: z.number(),
      words: z.number(),
      sentences: z.number(),
    })
    .optional(),
});
