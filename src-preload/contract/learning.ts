import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';
import { ANSWER_DOORS } from './kept-answers.ts';
import { MAX_ADAPTER_NAME_CHARS, MAX_ANSWERS_ASKED, MAX_FEEDBACK_CHARS, MAX_TURN_CHARS } from './limits.ts';
import { sentenceSchema } from './saying-schema.ts';
import { values } from './sayings/values.ts';

/** Name of an adapter: a line of versions of which one is in use. Parts between slashes, so that names can be grouped: `user/work`. */
export const adapterNameSchema = z
  .string()
  .max(MAX_ADAPTER_NAME_CHARS)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/, values['value.adapterName']);

const feedbackCounts = z.object({ waiting: z.int(), taken: z.int(), aside: z.int() });

/** How learning stands. */
export const learningStatusSchema = z.object({
  /** Whether answers of this node's own model are kept, so that feedback can refer to them. */
  keeps: z.boolean(),
  /** Why nothing is ever learnt here, whoever asks for it; null: it can be. */
  hindrance: sentenceSchema.nullable(),
  /** Name of the adapter that learns. */
  adapter: z.string(),
  /** What answers own questions that name no version. */
  inUse: z.object({
    /** `personal@3`; null: the model as it is. */
    version: z.string().nullable(),
    /** Name of the model that the adapter belongs to, where another one is loaded, or would be: that one answers as it is. */
    belongsTo: z.string().nullable(),
  }),
  /** Answers that are kept: how many, what they take in bytes, and when the oldest was given (Unix milliseconds). */
  answers: z.object({ count: z.int(), bytes: z.number(), oldest: z.number().nullable() }),
  /** Feedback that waits to be learnt, what a run has taken, and what is put aside: of all adapters. */
  feedback: feedbackCounts,
  /** The same of each adapter that has any, by its name. */
  byAdapter: z.array(feedbackCounts.extend({ adapter: z.string() })),
});
export type LearningStatus = z.infer<typeof learningStatusSchema>;

/** What a model learns from. `say`: what should be different. `edit`: how it should have been. */
export const TEACHING_KINDS = ['say', 'edit'] as const;
export type TeachingKind = (typeof TEACHING_KINDS)[number];

/** Beside those `up` and `down`: a thumb, which is noted and teaches nothing. */
export const FEEDBACK_KINDS = [...TEACHING_KINDS, 'up', 'down'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export function isTeaching(kind: FeedbackKind): kind is TeachingKind {
  return kind === 'say' || kind === 'edit';
}

/**
 * `noted`: a thumb, for good. Of the rest: `taken`: a run learns from it now. `rejected`: it was tried, and what came of it was not better and is not in use: nothing was learnt from it, and it is tried again when
 * somebody says so. `aside`: runs with it failed in the same way three times; it waits for somebody to begin learning.
 */
export const FEEDBACK_STATES = ['noted', 'waiting', 'taken', 'learnt', 'rejected', 'aside', 'withdrawn'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

const answerId = z.string().min(1).max(200);
const key = z.string().min(1).max(200);

/** What somebody says of an answer. */
export const newFeedbackSchema = z
  .object({
    /** Id of the answer: that of an answer of the OpenAI API, or `answerOfTurn` of a conversation. */
    answer: answerId.optional(),
    /** What people see of the answer: where there is no id, or none is kept under it, the newest that looks so is meant. */
    seen: z.string().min(1).max(MAX_TURN_CHARS).optional(),
    kind: z.enum(FEEDBACK_KINDS),
    /** What should be different, or how it should have been. */
    text: z.string().trim().min(1).max(MAX_TURN_CHARS).optional(),
    /** Name of the adapter that is to learn from it. Default: the one that is set. */
    adapter: adapterNameSchema.optional(),
    /** What is given twice with the same key counts once. Default: it counts by itself. */
    key: key.optional(),
  })
  .refine(({ answer, seen }) => answer !== undefined || seen !== undefined, {
    path: ['answer'],
    message: 'must name an answer, or say how it looks',
  })
  .refine(({ kind, text }) => isTeaching(kind) === (text !== undefined), {
    path: ['text'],
    message: 'must be there for «say» and «edit», and for nothing else',
  })
  .refine(({ kind, text = '' }) => kind !== 'say' || text.length <= MAX_FEEDBACK_CHARS, {
    path: ['text'],
    message: `must have at most ${MAX_FEEDBACK_CHARS} characters`,
  });
export type NewFeedback = z.infer<typeof newFeedbackSchema>;

/** What was said of an answer, and what came of it. */
export const feedbackSchema = z.object({
  id: z.int(),
  /** Unix milliseconds. */
  at: z.number(),
  /** Id of the answer. */
  answer: z.string(),
  /** What was asked, and what people saw of the answer: how they begin. */
  question: z.string(),
  seen: z.string(),
  adapter: z.string(),
  kind: z.enum(FEEDBACK_KINDS),
  text: z.string().nullable(),
  state: z.enum(FEEDBACK_STATES),
  /** Id of the run that took it. */
  run: z.string().nullable(),
  /** What runs with it have failed by last, while nothing was learnt from it. */
  failure: errorSchema.nullable(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** An answer that feedback can refer to. */
export const keptAnswerSchema = z.object({
  id: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  door: z.enum(ANSWER_DOORS),
  /** Id of the version that gave it; null: the model as it is. */
  version: z.string().nullable(),
  /** What was asked, and what people saw of the answer: how they begin. */
  question: z.string(),
  seen: z.string(),
});
export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

const feedbackId = z.object({ id: z.int().min(1) });
const feedbackIds = z.object({ ids: z.array(z.int().min(1)).min(1).max(MAX_ANSWERS_ASKED) });

export const learningContract = {
  status: oc.output(learningStatusSchema),
  /** Answers that are kept, the newest first. */
  answers: oc
    .input(z.object({ limit: z.int().min(1).max(100).default(20) }))
    .output(z.object({ answers: z.array(keptAnswerSchema), more: z.boolean() })),
  /**
   * Says something of an answer: what teaches waits to be learnt, a thumb is noted.
   * @throws ANSWER_NOT_FOUND where no such answer is kept
   */
  give: oc.input(newFeedbackSchema).output(feedbackSchema),
  /** Newest first, a page at a time: from before an id on. @param answers only what was said of these */
  feedback: oc
    .input(
      z.object({
        before: z.int().min(1).optional(),
        limit: z.int().min(1).max(100).default(50),
        state: z.enum(FEEDBACK_STATES).optional(),
        answers: z.array(answerId).max(MAX_ANSWERS_ASKED).optional(),
      }),
    )
    .output(z.object({ feedback: z.array(feedbackSchema), more: z.boolean() })),
  /** Takes feedback back from which nothing was learnt: it waits, was rejected, is put aside, or is noted. Idempotent. @throws BAD_REQUEST when there is none, or it is being learnt or learnt */
  withdraw: oc.input(feedbackId).output(feedbackSchema),
  /** What was rejected or put aside waits to be learnt again; what waits already, stays. @throws BAD_REQUEST where that cannot be of one of them: then all stay as they are */
  retry: oc.input(feedbackIds).output(z.array(feedbackSchema)),
  /** Forgets all answers but those that feedback refers to. */
  forget: oc.output(z.object({ forgotten: z.int() })),
};
