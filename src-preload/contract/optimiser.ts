import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { evaluationTargetSchema } from './evaluation.ts';
import {
  ATTEMPT_OUTCOMES,
  LEAST_TOKENS,
  MOST_ITERATIONS,
  MOST_REPAIRS,
  MOST_SHOWN_ATTEMPTS,
  MOST_SOURCE_BYTES,
  MOST_TOKENS,
  USUAL,
} from './optimiser-numbers.ts';

const id = z.string().regex(/^[0-9a-f]{16}$/);
const number = z.int().min(0);
const iterations = z.int().min(1).max(MOST_ITERATIONS);

const planSchema = z.strictObject({
  /** Who writes. A miner is asked about texts, not for programs. */
  target: evaluationTargetSchema.refine(({ kind }) => kind !== 'axon'),
  /** Ideas that are asked for, each with its repairs. */
  iterations: iterations.default(USUAL.iterations),
  /** Ends after so many ideas in a row that brought nothing. */
  plateau: z.int().min(1).max(MOST_ITERATIONS).default(USUAL.plateau),
  /** Times that one idea may be mended with the error it made. */
  repairs: z.int().min(0).max(MOST_REPAIRS).default(USUAL.repairs),
  /** Tokens of the sequence on which a kernel is measured. */
  tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).default(USUAL.tokens),
});
export const keptOptimiserPlanSchema = planSchema;
export type OptimiserPlan = z.output<typeof planSchema>;

const startSchema = planSchema.extend({
  /** Own code, which is the first attempt. Default: the baseline. */
  source: z.string().min(1).max(MOST_SOURCE_BYTES).optional(),
});
export type OptimiserStart = z.output<typeof startSchema>;

export const optimiserStateSchema = z.enum(['running', 'stopped', 'done', 'failed']);
/** Why there is nothing left to do. */
const endedBySchema = z.enum(['iterations', 'plateau']);

/** How many times as fast as the baseline, with the bounds between which that lies. */
const speedSchema = z.object({ ratio: z.number(), low: z.number(), high: z.number() });
export type KernelSpeed = z.infer<typeof speedSchema>;

const viewSchema = z.object({
  id,
  createdAt: z.int(),
  endedAt: z.int().nullable(),
  state: optimiserStateSchema,
  endedBy: endedBySchema.nullable(),
  plan: planSchema,
  /** Who writes, as it calls itself; null before it was asked. */
  model: z.string().nullable(),
  /** Whether it began with somebody's own code. */
  isOwn: z.boolean(),
  /** Ideas that are done with, and attempts in all. */
  iterations: z.int(),
  attempts: z.int(),
  /** The attempt whose lower bound is the highest. */
  best: speedSchema.extend({ number }).nullable(),
  /** Tokens that were read and written by the model, as far as it tells. */
  modelTokens: z.int(),
  error: errorSchema.nullable(),
});
export type OptimiserRun = z.infer<typeof viewSchema>;

const attemptSchema = z.object({
  number,
  /** Which idea it is, from 1; 0: the code that somebody brought. And which repair of it; 0: as it came first. */
  iteration: z.int(),
  repair: z.int(),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  speed: speedSchema.nullable(),
  /** What went wrong, as the model was told. */
  detail: z.string().nullable(),
  temperature: z.number().nullable(),
  promptTokens: z.int().nullable(),
  answerTokens: z.int().nullable(),
  seconds: z.number(),
  at: z.int(),
});
export type OptimiserAttempt = z.infer<typeof attemptSchema>;

const detailsSchema = viewSchema.extend({
  /** In their order; of very many the newest. */
  list: z.array(attemptSchema).max(MOST_SHOWN_ATTEMPTS),
});
export type OptimiserDetails = z.infer<typeof detailsSchema>;

/** A line of a difference: `same` in both, `gone` from the first, `new` in the second; `gap` stands for lines that are left out. */
const diffLineSchema = z.object({ kind: z.enum(['same', 'gone', 'new', 'gap']), text: z.string() });
export type DiffLine = z.infer<typeof diffLineSchema>;

const bestSchema = z.object({
  /** With what the run began. */
  start: z.string(),
  /** Null where nothing was measured yet. */
  source: z.string().nullable(),
  diff: z.array(diffLineSchema),
});
export type OptimiserBest = z.infer<typeof bestSchema>;

export const optimiserContract = {
  /** @throws OVERLOADED while another one runs */
  start: oc.input(startSchema).output(viewSchema),
  /** Goes on where it was stopped. @throws BAD_REQUEST where there is none or nothing left to do; OVERLOADED while another one runs */
  resume: oc.input(z.object({ id, iterations: iterations.optional() })).output(viewSchema),
  /** What is being tried is given up. @throws BAD_REQUEST where there is none */
  stop: oc.input(z.object({ id })).output(viewSchema),
  /** With its attempts. @throws BAD_REQUEST while it runs */
  remove: oc.input(z.object({ id })).output(z.void()),
  /** The newest first. */
  list: oc
    .input(z.object({ limit: z.int().min(1).max(200).default(50), before: z.int().optional() }))
    .output(z.array(viewSchema)),
  /** One, now and whenever something has come of it, until it runs no more. */
  watch: oc.input(z.object({ id })).output(eventIterator(detailsSchema)),
  /** What an attempt was; null where the model gave no code. @throws BAD_REQUEST where there is none */
  source: oc.input(z.object({ id, number })).output(z.string().nullable()),
  /** The best source, and in what it differs from the first. @throws BAD_REQUEST where there is none */
  best: oc.input(z.object({ id })).output(bestSchema),
  /** An attempt's module, compiled again. Default: that of the best. @throws BAD_REQUEST where there is none, or it cannot be compiled */
  module: oc
    .input(z.object({ id, number: number.optional() }))
    .output(z.object({ number, source: z.string(), wasm: z.base64() })),
};
