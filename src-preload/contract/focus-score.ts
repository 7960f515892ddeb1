import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedArray } from './bounded.ts';
import { RECORDING_STATES, recordingId } from './focus.ts';
import { MAX_APPEAL_CHARS } from './focus-limits.ts';
import { saidSchema } from './saying-schema.ts';

const share = z.number().nullable();
const words = { text: z.string(), said: saidSchema };

/** What a recording is worth, as it stands. */
export const verdictSchema = z.object({
  id: recordingId,
  state: z.enum(RECORDING_STATES),
  /** Null where it has none: then `text` says why. */
  score: share,
  /** Why; null where nobody has asked yet. */
  text: z.string().nullable(),
  said: saidSchema,
  /** Unix milliseconds; null where nobody has asked yet. */
  at: z.number().nullable(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** What a model says of a recording. */
export const modelScoreSchema = z.object({
  version: z.string(),
  model: z.string(),
  /** Where it runs: host and port. */
  host: z.string(),
  /** Completion × boost; 0 for what is no work; null where a person has to look. */
  score: share,
  boost: z.number(),
  annotation: z.object({ applications: z.array(z.string()), steps: z.array(z.string()), description: z.string() }),
  legitimacy: z.object({ legitimate: z.boolean(), rationale: z.string() }).nullable(),
  completion: z.object({ score: z.number(), rationale: z.string(), missing: z.string() }).nullable(),
  /** What in it gives orders to whoever judges. */
  orders: z.string().nullable(),
});

export const ratingSchema = z.object({
  verdict: verdictSchema,
  model: modelScoreSchema.nullable(),
  /** How new it is, from 0 to 1; null where that is not known. */
  uniqueness: z.object({ task: share, description: share, pictures: share }).nullable(),
  /** OMEGA’s of November 2024. */
  older: z.object({ score: share, parts: z.array(z.object({ part: z.string(), value: share, ...words })) }).nullable(),
  /** Oldest first; Unix milliseconds. */
  appeals: z.array(z.object({ at: z.number(), note: z.string() })),
  /** The score as others can check it. */
  signed: z.object({ payload: z.string(), signature: z.string() }).nullable(),
});
export type Rating = z.infer<typeof ratingSchema>;

export const RATING_STEPS = ['waiting', 'rules', 'pictures', 'description', 'legitimacy', 'completion'] as const;
export const ratingStepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: z.enum(RATING_STEPS) }),
  z.object({ type: z.literal('done'), verdict: verdictSchema }),
]);
export type RatingStep = (typeof RATING_STEPS)[number];
export type RatingEvent = z.infer<typeof ratingStepSchema>;

/** The model that would be asked. */
export const scorerSchema = z.object({
  /** Null where none is set up. */
  model: z.string().nullable(),
  /** Where it runs: host and port. */
  host: z.string().nullable(),
  /** A program on this computer. */
  isHere: z.boolean(),
  /** Why it cannot be asked; null where it can. */
  lack: z.string().nullable(),
  said: saidSchema,
  /** What its owner would have to agree to, as a value of `focus.scorer.picturesTo`; null where nothing is missing. */
  asks: z.string().nullable(),
});
export type ScorerState = z.infer<typeof scorerSchema>;

const one = z.object({ id: recordingId });

export const focusScoreContract = {
  /** What recordings are worth, as far as they are there. */
  verdicts: oc.input(z.object({ ids: boundedArray(recordingId, 200) })).output(z.array(verdictSchema)),
  /** All that is known of what one is worth. */
  rating: oc.input(one).output(ratingSchema),
  /**
   * Has it scored, and tells of each step; it goes on when the stream is left.
   * @param appeal what is wrong with the score that it has: it is kept with it, and the new score takes the place of the old one, whatever it is
   */
  rate: oc
    .input(one.extend({ appeal: z.string().trim().min(1).max(MAX_APPEAL_CHARS).optional() }))
    .output(eventIterator(ratingStepSchema)),
  /** Calls that off. */
  stopRating: oc.input(one).output(z.void()),
  scorer: oc.output(scorerSchema),
};
