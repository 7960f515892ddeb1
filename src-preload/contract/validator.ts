import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { datasetsContract } from './datasets.ts';
import { saidSchema } from './saying-schema.ts';
import { LAYER_RULES, MOST_SAMPLES } from './validator-names.ts';
import { validatorResultsContract } from './validator-results.ts';
import { validatorRunContract } from './validator-run.ts';

const name = z.string().min(1).max(64);

/** One sort of challenge. */
const environmentSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** How hard it may be, the usual one first. */
  levels: z.array(z.string()).min(1),
  /** Whether it is asked where none is named: those out of data sets are not. */
  isUsual: z.boolean(),
});
export type EnvironmentView = z.infer<typeof environmentSchema>;

const practiceInput = z.object({
  /** Default: all. */
  environments: z.array(name).min(1).max(16).optional(),
  /** For those that have it; the others are asked as usual. */
  level: name.optional(),
  /** Challenges of each environment. */
  samples: z.int().min(1).max(MOST_SAMPLES).default(10),
  /** The same seed asks the same again. Default: another one each time. */
  seed: z.string().min(1).max(128).optional(),
  /** Tokens of an answer, at most. */
  maxTokens: z.int().min(1).max(100_000).default(512),
  /** Keeps what comes of it, signed, among the results. */
  keep: z.boolean().default(false),
});
export type PracticeRequest = z.output<typeof practiceInput>;

/** How one environment went so far. */
const tallySchema = z.object({
  environment: z.string(),
  level: z.string(),
  asked: z.int(),
  /** Sum of the scores. */
  score: z.number(),
  /** Between which shares the true one lies, in 95 of 100 cases. */
  low: z.number(),
  high: z.number(),
  /** Of an answer, milliseconds: as many took longer as did not. 0 without any. */
  medianMs: z.number(),
});
export type PracticeTally = z.infer<typeof tallySchema>;

const practiceEvent = z.discriminatedUnion('type', [
  /** What is asked, before the first of it is. */
  z.object({ type: z.literal('begins'), seed: z.string(), challenges: z.int() }),
  z.object({
    type: z.literal('judged'),
    /** That was asked. */
    model: z.string(),
    environment: z.string(),
    level: z.string(),
    /** Of the challenge. */
    id: z.string(),
    prompt: z.string(),
    /** Its beginning; null where there was none. */
    answer: z.string().nullable(),
    score: z.number(),
    reason: z.string(),
    said: saidSchema,
    ms: z.number().nullable(),
    done: z.int(),
    tallies: z.array(tallySchema),
  }),
]);
export type PracticeEvent = z.infer<typeof practiceEvent>;

/** Results that are looked at: those since a moment, Unix milliseconds. */
const sinceInput = z.object({ since: z.int().min(0).default(0) });

const sampleSchema = z.object({
  /** With its version or level where there are results of several: `sat (easy)`. */
  environment: z.string(),
  version: z.string(),
  level: z.string(),
  miner: z.string(),
  count: z.int(),
  /** Of the scores; between which the true one lies, in 95 of 100 cases. */
  mean: z.number(),
  low: z.number(),
  high: z.number(),
});
export type SampleView = z.infer<typeof sampleSchema>;

/** That weights are made of: each set of them has a winner, and of twelve there are 4,095. */
export const MOST_ENVIRONMENTS = 12;

const weighInput = sinceInput.extend({
  /** Those that count; `sat` is all versions and levels of it, `sat (easy)` one. Default: what is asked now, in its version and at its level. */
  environments: z.array(z.string().min(1).max(256)).min(1).max(MOST_ENVIRONMENTS).optional(),
  /** Constants of a date. Default: the usual ones. */
  preset: name.optional(),
  /** Default: what is usual with the preset. */
  layers: z.enum(LAYER_RULES).optional(),
  /** The share of all that goes to nobody. */
  burn: z.number().min(0).max(1).default(0),
});
export type WeighRequest = z.output<typeof weighInput>;

/** How one miner does beside another in an environment, by the rules by which one dominates another. */
export const COMPARED = ['better', 'even', 'worse'] as const;

const rivalSchema = z.object({
  miner: z.string(),
  /** Whether it was there first: of two that are as good everywhere that one wins. */
  wasFirst: z.boolean(),
  /** How the miner does beside it. */
  compared: z.array(z.object({ environment: z.string(), is: z.enum(COMPARED) })),
});
export type RivalView = z.infer<typeof rivalSchema>;

const weighedSchema = z.object({
  miner: z.string(),
  /** Which stands for it on the chain, as whoever runs the validator says; null for none, and for those that are named by their own. */
  hotkey: z.string().nullable(),
  /** Whether it takes part: it has enough results, and names no model that another committed to first. */
  isEligible: z.boolean(),
  /** The miner that committed to the same model first; null where there is none, or the chain was not asked. */
  copyOf: z.string().nullable(),
  /** The mean of its means, each environment counting the same. */
  overall: sampleSchema.pick({ count: true, mean: true, low: true, high: true }),
  /** Results that it lacks, by environment. */
  missing: z.record(z.string(), z.int()),
  samples: z.array(sampleSchema),
  /** Environments in which it wins alone. */
  wins: z.array(z.string()),
  /** Won with 1, 2, … environments together. */
  points: z.array(z.number()),
  /** How many sets of 1, 2, … environments these came from, alone or shared. */
  sets: z.array(z.int()),
  /** The first of all, or for this one the second; null where there is nobody else. */
  rival: rivalSchema.nullable(),
  /** 0 to 1. */
  weight: z.number(),
  /** Why, the decisive sentence first; what was won is told in one for each size of a set of tasks. */
  reasons: z.array(z.object({ text: z.string(), said: saidSchema })),
  /** A sentence for each set that it won or shares, the largest first. */
  ofSets: z.array(z.object({ text: z.string(), said: saidSchema })),
});
export type WeighedView = z.infer<typeof weighedSchema>;

/** An environment in which what is needed rises while one waits: by this share of each further result of the miner that has the most there. */
const growingSchema = z.object({
  environment: z.string(),
  miner: z.string(),
  share: z.number(),
  /** By no more than so many results; null for without end. */
  left: z.number().nullable(),
});
export type GrowingView = z.infer<typeof growingSchema>;

const weightsSchema = z.object({
  preset: z.string(),
  environments: z.array(z.string()),
  growing: z.array(growingSchema),
  /** The one with the largest weight first; of equals those that have enough results, then the better one. */
  miners: z.array(weighedSchema),
});
export type WeightsView = z.infer<typeof weightsSchema>;

export const validatorContract = {
  ...datasetsContract,
  ...validatorRunContract,
  ...validatorResultsContract,
  /** What there is to be asked. */
  environments: oc.output(z.array(environmentSchema)),
  /** Asks this machine's own model, as a validator would ask a miner: no chain, no account. */
  practise: oc.input(practiceInput).output(eventIterator(practiceEvent)),
  /** How each miner does in each environment. */
  stats: oc.input(sinceInput).output(z.array(sampleSchema)),
  /** What results come to as weights. Nothing is set on a chain. */
  weigh: oc.input(weighInput).output(weightsSchema),
};
