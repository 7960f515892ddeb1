import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { FEEDBACK_KINDS, FEEDBACK_STATES } from './learning.ts';
import { hexPattern } from './limits.ts';
import { sentenceSchema } from './saying-schema.ts';

/**
 * How far a run is. `queued`: it has its feedback. `sampling`: the model answers, so that there is something to learn from. `training`; `evaluating`: what came of
 * it is measured. Then for good: `accepted`, `rolled-back` (it was not better), `failed`, `cancelled`.
 */
export const RUN_STATES = [
  'queued',
  'sampling',
  'training',
  'evaluating',
  'accepted',
  'rolled-back',
  'failed',
  'cancelled',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * How a model learns. `distillation`: forward KL from the teacher's likeliest tokens, on answers that the model gave with the feedback before its eyes. `sdpo`:
 * answers that it gave without, reweighted (CLaaS, B4).
 */
export const OBJECTIVES = ['distillation', 'sdpo'] as const;
export type Objective = (typeof OBJECTIVES)[number];

const runId = z.string().regex(hexPattern(8));

/** One try at learning. */
export const learningRunSchema = z.object({
  id: runId,
  /** Name of the adapter that was to become better. */
  name: z.string(),
  state: z.enum(RUN_STATES),
  /** Unix milliseconds. */
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Ids of the versions that it started from and that came of it; null: the model as it is, none. */
  parent: z.string().nullable(),
  version: z.string().nullable(),
  objective: z.enum(OBJECTIVES).nullable(),
  /** Why this objective. */
  why: sentenceSchema.nullable(),
  /** Steps that are done, and most of them. */
  step: z.int(),
  steps: z.int(),
  /** Spent computing. */
  seconds: z.number(),
  wattHours: z.number().nullable(),
  /** What it learns from, and what became of that. */
  feedback: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(FEEDBACK_KINDS),
      text: z.string().nullable(),
      state: z.enum(FEEDBACK_STATES),
    }),
  ),
  /** Why it was accepted, or why not. */
  reasons: z.array(sentenceSchema),
  error: errorSchema.nullable(),
});
export type LearningRunView = z.infer<typeof learningRunSchema>;

/** What was measured of the model at a moment; what was not measured then is absent. */
export const learningMeasuresSchema = z.object({
  /** Share of answers that are as wanted, on prompts that are not learnt from, 0–1. */
  compliance: z.number().optional(),
  /**
   * How much likelier to the model wanted answers to held-out questions are (the teacher's, which comply) than those that it gave before the run: nats, the mean over
   * tokens, and the sum over them, of which length is most where one answer is longer. Absent where there was nothing to compare.
   */
  margin: z.number().optional(),
  marginSum: z.number().optional(),
  /** Share of short questions with one right answer that it answers rightly, 0–1. */
  capability: z.number().optional(),
  /** Mean entropy of the likeliest 20 tokens ÷ that of the model before. */
  entropyRatio: z.number().optional(),
  /** How alike several answers to one question are, 0–1. */
  selfRouge: z.number().optional(),
  /** Change of the mean log-probability of what it says, in nats. */
  drift: z.number().optional(),
});
export type LearningMeasures = z.infer<typeof learningMeasuresSchema>;

/** A step of a run, for its curves. */
export const learningStepSchema = learningMeasuresSchema.extend({
  step: z.int(),
  loss: z.number().optional(),
  gradNorm: z.number().optional(),
  seconds: z.number().optional(),
  /** What a look in full found, where there was one: what decides. The first reason says why it was taken, or was not. */
  full: z.object({ compliance: z.number(), capability: z.number(), reasons: z.array(sentenceSchema) }).optional(),
});
export type LearningStepView = z.infer<typeof learningStepSchema>;

/** A run with all that it found. */
export const learningRunDetailsSchema = learningRunSchema.extend({
  /** From step 0, what was before the first, where that was measured. */
  curve: z.array(learningStepSchema),
  before: learningMeasuresSchema.nullable(),
  after: learningMeasuresSchema.nullable(),
  /** What computed the last step, and why not the GPU; null before the first, and where the trainer does not say. */
  computed: sentenceSchema.nullable(),
  /** A prompt, and what the model says to it before and after. */
  shown: z.object({ prompt: z.string(), before: z.string(), after: z.string() }).nullable(),
});
export type LearningRunDetails = z.infer<typeof learningRunDetailsSchema>;

/** `waiting`: for feedback, or for time. `held`: until there is new feedback, or somebody asks for it. */
export const LEARNING_STATES = ['waiting', 'learning', 'paused', 'held'] as const;

/** How many questions a run has asked of those that it asks now: to learn from the answers, or to measure by them. */
const progressSchema = z.object({ doing: z.enum(['sampling', 'looking']), done: z.int(), of: z.int() });
export type LearningProgress = z.infer<typeof progressSchema>;

/** How learning stands now. */
export const learningNowSchema = z.object({
  state: z.enum(LEARNING_STATES),
  /** What it waits for. */
  why: z.array(sentenceSchema),
  run: learningRunSchema.nullable(),
  /** Null while nothing is asked: the run's steps tell how far it is. */
  progress: progressSchema.nullable(),
});
export type LearningNow = z.infer<typeof learningNowSchema>;

export const learningRunsContract = {
  /** Now, and whenever it changes. */
  follow: oc.output(eventIterator(learningNowSchema)),
  /** Newest first. */
  runs: oc
    .input(z.object({ limit: z.int().min(1).max(100).default(20), before: z.number().optional() }))
    .output(z.array(learningRunSchema)),
  /** @throws BAD_REQUEST where there is none with this id */
  run: oc.input(z.object({ id: runId })).output(learningRunDetailsSchema),
  /** Learns now what waits or was put aside, whatever this computer does; goes on with what was paused. @throws ENGINE_UNAVAILABLE where the model runs elsewhere */
  start: oc.output(z.void()),
  /** Until `start`. */
  pause: oc.output(z.void()),
  /** Ends what is under way; its feedback waits again. @throws NOT_RUNNING */
  cancel: oc.output(z.void()),
};
