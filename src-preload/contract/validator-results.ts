import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { saidSchema } from './saying-schema.ts';
import { OUTCOMES } from './validator-names.ts';

const resultSchema = z.object({
  id: z.int(),
  /** Unix milliseconds. */
  at: z.number(),
  environment: z.string(),
  version: z.string(),
  miner: z.string(),
  model: z.string(),
  score: z.number(),
  /** Whether an answer came. */
  success: z.boolean(),
  ms: z.number(),
});
export type ResultView = z.infer<typeof resultSchema>;

/** A place in the results. */
const cursor = z.object({
  /** Unix milliseconds. */
  at: z.int().min(0),
  id: z.int().min(0),
});

const resultsInput = z.object({
  limit: z.int().min(1).max(500).default(50),
  /** Those before this place. Default: the newest. */
  before: cursor.optional(),
  miner: z.string().min(1).max(128).optional(),
  environment: z.string().min(1).max(128).optional(),
  outcome: z.enum(OUTCOMES).optional(),
});
export type ResultsRequest = z.output<typeof resultsInput>;

const resultsSchema = z.object({
  /** Newest first. */
  results: z.array(resultSchema),
  /**
   * Where to go on; null at the end. A page may have fewer results than were asked for, or none, and not be the last one: among so many, only so
   * many are looked through at a time.
   */
  next: cursor.nullable(),
});
export type ResultsPage = z.infer<typeof resultsSchema>;

/** How many days can be counted. */
export const MOST_COUNTED_DAYS = 31;

const countsSchema = z.object({
  /** Challenges that came to an end, and of these those that an answer came to. */
  asked: z.int(),
  answered: z.int(),
});
export type ResultCounts = z.infer<typeof countsSchema>;

const othersSchema = z.object({
  results: z.int(),
  /** How many these are; a thousand at most are told apart. */
  validators: z.int(),
});
export type OthersResults = z.infer<typeof othersSchema>;

/** What a result says when its challenge is posed again; `cut`: only the beginning of its answer was kept, so that it cannot be judged again. */
export const REPLAYS = ['same', 'forged', 'gone', 'otherwise', 'cut'] as const;

const worded = z.object({ text: z.string(), said: saidSchema });

const replaySchema = z.object({
  result: resultSchema,
  verdict: z.enum(REPLAYS),
  /** The verdict in a sentence. */
  text: z.string(),
  said: saidSchema,
  /** Null where it cannot be posed again, or is not believed. */
  prompt: z.string().nullable(),
  answer: z.string().nullable(),
  /** How long the answer was, where only its beginning was kept, UTF-16 units; else null. */
  answerLength: z.int().nullable(),
  /** From being asked to the first byte of the answer, milliseconds, by the validator’s clock; null where that is not known. */
  firstByteMs: z.int().nullable(),
  /** How right the answer is, where the score is not just that; else null. */
  accuracy: z.number().nullable(),
  /** Why it scores so. */
  reason: worded.nullable(),
});
export type ReplayView = z.infer<typeof replaySchema>;

export const MOST_SIGNERS_SHOWN = 100;
export const MOST_FORGED_SHOWN = 1_000;

const verifyEvent = z.discriminatedUnion('type', [
  /** How many results were looked at so far. */
  z.object({ type: z.literal('checked'), checked: z.int() }),
  z.object({
    type: z.literal('done'),
    checked: z.int(),
    /** Who has signed what is genuine, the one with the most first; not all of them where they are very many. */
    signers: z.array(z.object({ signer: z.string(), isOwn: z.boolean(), results: z.int() })),
    signerCount: z.int(),
    /** Numbers of results that are not as they were signed, the newest first; not all of them where they are very many. */
    forged: z.array(z.int()),
    forgedCount: z.int(),
  }),
]);
export type VerifyEvent = z.infer<typeof verifyEvent>;

/** A result as it is kept, all of it: what is signed is `payload`. */
const exportedSchema = resultSchema.omit({ ms: true, at: true, version: true }).extend({
  environmentVersion: z.string(),
  challengeId: z.string(),
  revision: z.string(),
  latencyMs: z.int(),
  createdAt: z.int(),
  signer: z.string(),
  signature: z.string(),
  payloadSha256: z.string(),
  payload: z.string(),
  level: z.string(),
  /** Out of which the challenge came. */
  seed: z.string(),
  uid: z.int().nullable(),
  block: z.int().nullable(),
  attempts: z.int(),
  error: z.string().nullable(),
});
export type ExportedResult = z.infer<typeof exportedSchema>;

/** Whether a result can be believed, and its challenge be posed again. */
export const STANDINGS = ['genuine', 'forged', 'gone'] as const;

const openedSchema = z.object({
  result: exportedSchema,
  standing: z.enum(STANDINGS),
  /** Null where it cannot be posed again, or is not believed. */
  prompt: z.string().nullable(),
  answer: z.string().nullable(),
  /** How long the answer was, where only its beginning was kept, UTF-16 units; else null. */
  answerLength: z.int().nullable(),
  /** From being asked to the first byte of the answer, milliseconds, by the validator’s clock; null where that is not known. */
  firstByteMs: z.int().nullable(),
  /** How right the answer is, where the score is not just that; else null. */
  accuracy: z.number().nullable(),
  /** Why it scored so, as it was signed. */
  reason: worded.nullable(),
});
export type OpenedResult = z.infer<typeof openedSchema>;

const one = z.object({ id: z.int().min(1) });

export const validatorResultsContract = {
  /** What was kept, a page of it. */
  results: oc.input(resultsInput).output(resultsSchema),
  /** How many since a moment, Unix milliseconds; of the last 31 days at most. */
  counts: oc.input(z.object({ since: z.int().min(0) })).output(countsSchema),
  /** Results since a moment that do not count, because a validator has signed them that is neither this one nor among `validator.trust`. */
  ofOthers: oc.input(z.object({ since: z.int().min(0).default(0) })).output(othersSchema),
  /** One of them with its challenge and answer. Nothing is judged again. @throws BAD_REQUEST where there is none */
  result: oc.input(one).output(openedSchema),
  /** Poses the challenge of a result again, judges the answer again, and looks whether it is as it was signed. */
  replay: oc.input(one).output(replaySchema),
  /** Looks whether all results are as they were signed, and by whom. */
  verify: oc.output(eventIterator(verifyEvent)),
  /** All results, newest first, as they are kept. */
  export: oc.output(eventIterator(exportedSchema)),
};
