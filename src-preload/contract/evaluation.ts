import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { SS58_LOOKS } from './address-looks.ts';
import { bareAddress } from './bare-address.ts';
import { boundedArray } from './bounded.ts';
import { errorSchema } from './error-schema.ts';
import { DEPTH_BANDS, LEAST_LENGTH, MOST_LENGTH, MOST_TEXTS } from './evaluation-numbers.ts';
import { evaluationScoreSchema } from './evaluation-scores.ts';
import { saidSchema, sentenceSchema } from './saying-schema.ts';

const MOST_SUITES = 40;
const MOST_LENGTHS = 20;
const MOST_VARIANTS = 40;
const MOST_NETUID = 65_535;

const id = z.string().regex(/^[0-9a-f]{16}$/);

/** Who is asked. */
export const evaluationTargetSchema = z.discriminatedUnion('kind', [
  /** This node's own model, as it is; where it is named (by its name, or the path that the settings have), only that one. */
  z.strictObject({ kind: z.literal('local'), model: z.string().min(1).max(4_096).optional() }),
  /** Somebody on the mesh who serves it. Default: any model. */
  z.strictObject({ kind: z.literal('mesh'), model: z.string().min(1).max(4_096).optional() }),
  /** A server that speaks the OpenAI API: `http://host:8000/v1`. Its key is that of the settings, if it is the server which they name. Default: the first model that it has. */
  z.strictObject({ kind: z.literal('address'), url: bareAddress, model: z.string().min(1).max(256).optional() }),
  /** A miner of a subnet, asked as its validators ask it: signed by the hotkey that is set. Default: where the chain says that its axon is, on the subnet that is set. */
  z.strictObject({
    kind: z.literal('axon'),
    hotkey: z.string().regex(SS58_LOOKS),
    netuid: z.int().min(0).max(MOST_NETUID).optional(),
    at: z.strictObject({ ip: z.union([z.ipv4(), z.ipv6()]), port: z.int().min(1).max(65_535) }).optional(),
  }),
]);
export type EvaluationTarget = z.infer<typeof evaluationTargetSchema>;

const planSchema = z.strictObject({
  target: evaluationTargetSchema,
  /** Kinds of questions, by name; the group `longbench` stands for all of its data sets. */
  suites: boundedArray(z.string().min(1).max(64), MOST_SUITES, 1),
  /** Tokens of a question with its text, as whoever is asked counts them. */
  lengths: boundedArray(z.int().min(LEAST_LENGTH).max(MOST_LENGTH), MOST_LENGTHS, 1),
  /** Texts of each kind and length. */
  samples: z.int().min(1).max(MOST_TEXTS).default(1),
  /** Asks out of the small texts that come with Quarry, where a suite wants files. Default: out of the published files in the node's folder. */
  ownTexts: z.boolean().default(false),
  /** Asks each question about a text that is made a second time, put a little differently: whether it gets the same answer. Default false. */
  twice: z.boolean().optional(),
  /** The same seed asks the same again. Default: another one each time. */
  seed: z.string().min(1).max(128).optional(),
});
export type EvaluationRequest = z.output<typeof planSchema>;
/** As an evaluation was begun: with its seed and, once something was asked, the version of each suite: what is asked depends on it. */
export const keptPlanSchema = planSchema.required({ seed: true }).extend({
  versions: z.record(z.string().max(100), z.string().max(200)).optional(),
  /** Whether the model that comes with Quarry answers; kept once something was asked. */
  isBuiltIn: z.boolean().optional(),
});

/** What decides whether it can be asked. */
const wishSchema = planSchema.pick({ target: true, suites: true, lengths: true, ownTexts: true });
export type EvaluationWish = z.output<typeof wishSchema>;

/** What of a plan can be asked. */
const fitSchema = z.object({
  /** Who would answer, as it calls itself. */
  model: z.string(),
  /** Tokens that it has room for, question and answer together; null where nobody knows. */
  room: z.int().nullable(),
  /** In their order, the shortest first; with what keeps questions of that length from being asked, and what would fit. */
  lengths: z.array(z.object({ length: z.int(), problem: errorSchema.nullable() })),
  /** Suites whose texts have no room in some of the lengths that others have room in; and from which length on they have. */
  tooShort: z.array(z.object({ suite: z.string(), problem: errorSchema })),
});
export type EvaluationFit = z.infer<typeof fitSchema>;

const suiteSchema = z.object({
  name: z.string(),
  /** Null where it is that of the files, which nobody has looked at yet. */
  version: z.string().nullable(),
  variants: z.array(z.string()).min(1),
  /** Whether it is asked without any file. */
  isMade: z.boolean(),
});
export type SuiteView = z.infer<typeof suiteSchema>;

export const evaluationStateSchema = z.enum(['running', 'paused', 'done', 'failed']);

const viewSchema = z.object({
  id,
  createdAt: z.int(),
  endedAt: z.int().nullable(),
  state: evaluationStateSchema,
  plan: keptPlanSchema,
  /** Who answers; null before the first answer. */
  model: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Texts there are, and those that are done with. */
  texts: z.int(),
  done: z.int(),
  /** Of time spent, in all its turns. */
  seconds: z.number(),
  /** About how long it still takes; null where that is not known. */
  secondsLeft: z.number().nullable(),
  /** Why it failed. */
  error: errorSchema.nullable(),
  /** What has to be known of its figures, if anything. */
  remark: sentenceSchema.nullable(),
});
export type EvaluationView = z.infer<typeof viewSchema>;

/** What came of all questions of one kind, one length and one depth. */
const cellSchema = z.object({
  suite: z.string(),
  variant: z.string(),
  length: z.int(),
  asked: z.int(),
  answered: z.int(),
  /** Sum of the scores, each 0–1. */
  score: z.number(),
  /** Null: nowhere in particular, or there was no room for the text. */
  band: z.enum(DEPTH_BANDS).nullable(),
  /** Where what was asked for stood, on average, 0–1; null: nowhere in particular. */
  depth: z.number().nullable(),
  /** Milliseconds to the first piece of the answer and to the last, on average. */
  firstMs: z.number().nullable(),
  totalMs: z.number().nullable(),
  /** Of prompts read anew, a second; null where that is not told. */
  promptTokensPerSecond: z.number().nullable(),
});
export type EvaluationCellView = z.infer<typeof cellSchema>;

const detailsSchema = viewSchema.extend({ cells: z.array(cellSchema) });
export type EvaluationDetails = z.infer<typeof detailsSchema>;

const answerSchema = z.object({
  text: z.int(),
  question: z.int(),
  suite: z.string(),
  variant: z.string(),
  length: z.int(),
  words: z.int().nullable(),
  depth: z.number().nullable(),
  /** The beginning of it; null where none came. */
  answer: z.string().nullable(),
  error: errorSchema.nullable(),
  score: z.number(),
  promptTokens: z.int().nullable(),
  cachedTokens: z.int().nullable(),
  answerTokens: z.int().nullable(),
  firstMs: z.number().nullable(),
  totalMs: z.number().nullable(),
  at: z.int(),
});
export type EvaluationAnswerView = z.infer<typeof answerSchema>;

const questionSchema = z.object({
  /** What stood below the text. */
  asked: z.string(),
  /** Right answers: the best of them counts. */
  expected: z.array(z.string()),
});
export type EvaluationQuestionView = z.infer<typeof questionSchema>;

/** Some of an evaluation's questions: those of which all holds that is named here. */
const answersOfSchema = z.object({
  suite: z.string().max(64).optional(),
  variants: boundedArray(z.string().max(128), MOST_VARIANTS, 1).optional(),
  length: z.int().optional(),
  /** With those to which there was no answer, as there was no room for their texts. */
  band: z.enum(DEPTH_BANDS).optional(),
});
export type AnswersOf = z.infer<typeof answersOfSchema>;
/** A file of a published data set, and whether it is here. */
const fileSchema = z.object({
  file: z.string(),
  suite: z.string(),
  /** What it is published with: `longbench`. */
  group: z.string(),
  /** Without it there is nothing to ask; with the others, questions are better. */
  required: z.boolean(),
  /** `begun`: a part of it is here, and fetching goes on from there. */
  state: z.enum(['here', 'begun', 'missing']),
  /** Of what is here; else of what is to be fetched, null where that is not known. */
  bytes: z.int().nullable(),
  /** Where it is published. */
  address: z.string(),
  /** Few want it: only fetched for its own data set by name, or with `all`. */
  extra: z.boolean(),
});
export type EvaluationFile = z.infer<typeof fileSchema>;

const fetchEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    /** Or the zip that several are in. */
    file: z.string(),
    /** Bytes; null while nobody knows. */
    done: z.int(),
    total: z.int().nullable(),
    bytesPerSecond: z.number(),
    secondsLeft: z.number().nullable(),
    /** What it waits for, or went wrong and is tried again. */
    problem: z.object({ message: z.string(), said: saidSchema }).nullable(),
  }),
  z.object({ type: z.literal('fetched'), file: z.string(), bytes: z.int() }),
  /** The others are fetched all the same. */
  z.object({ type: z.literal('failed'), file: z.string(), error: errorSchema }),
]);
export type EvaluationFetchEvent = z.infer<typeof fetchEventSchema>;

const MOST_ANSWERS = 1_000;
const place = z.object({ text: z.int().min(-1), question: z.int().min(-1) });

export const evaluationContract = {
  /** What there is to be asked. */
  suites: oc.output(z.array(suiteSchema)),
  /**
   * Looks which lengths fit, before the start; this node's own model is loaded for it.
   * @throws BAD_REQUEST for what cannot be asked, or where a file is missing; what loading throws
   */
  fit: oc.input(wishSchema).output(fitSchema),
  /** Begins one, which goes on until it is done or paused. @throws BAD_REQUEST for what cannot be asked; OVERLOADED while another one runs */
  start: oc.input(planSchema).output(viewSchema),
  /** Goes on with one that was paused, stopped or failed, from where it was. @throws as {@link start} */
  resume: oc.input(z.object({ id })).output(viewSchema),
  /** What is being answered is given up. */
  pause: oc.input(z.object({ id })).output(viewSchema),
  /** Forgets it with its answers. @throws BAD_REQUEST while it runs */
  remove: oc.input(z.object({ id })).output(z.void()),
  /** The newest first. */
  list: oc
    .input(z.object({ limit: z.int().min(1).max(200).default(50), before: z.int().optional() }))
    .output(z.array(viewSchema)),
  /** One, now and whenever something has come of it, until it runs no more. */
  watch: oc.input(z.object({ id })).output(eventIterator(detailsSchema)),
  /** The files of published data sets. */
  files: oc.output(z.array(fileSchema)),
  /**
   * Fetches those that are missing; aborting the call stops it and keeps what is here.
   * @throws BAD_REQUEST for a name to which no file belongs; OVERLOADED while others are fetched
   */
  fetch: oc
    .input(
      z.object({
        /** Data sets, each by the suite that is asked out of it; the group `longbench` stands for all that it has. Default: all. */
        suites: boundedArray(z.string().min(1).max(64), MOST_SUITES).default([]),
        /** Those too that few want. */
        all: z.boolean().default(false),
      }),
    )
    .output(eventIterator(fetchEventSchema)),
  /** A page of answers, in the order of asking; all of them, or those to some questions. */
  answers: oc
    .input(
      z.object({
        id,
        limit: z.int().min(1).max(MOST_ANSWERS).default(200),
        after: place.optional(),
        of: answersOfSchema.optional(),
      }),
    )
    .output(z.array(answerSchema)),
  /** QUASAR's scores of one, told in words, out of all answers so far. @throws BAD_REQUEST where there is none */
  scores: oc.input(z.object({ id })).output(z.array(evaluationScoreSchema)),
  /** What was asked, made anew; null where its text is out of a file. @throws BAD_REQUEST where there is no such question */
  question: oc
    .input(z.object({ id, text: z.int().min(0), question: z.int().min(0) }))
    .output(questionSchema.nullable()),
};
